// curl and wget: the files that a download goes into, and the logs, cookies and headers that are kept.

import type { Bytes } from "../policy/bytes.ts";
import type { Operand, Reader } from "../policy/call.ts";
import { join } from "../policy/resolve.ts";
import { type Grammar, has, lastValue, type Parsed, parseOptions, values } from "./options.ts";
import { NOTHING, suspectReading } from "./suspects.ts";

/** curl(1) 7.88 to 8.10; `writes` options name a file, of which `-` is standard output. */
const CURL: Grammar = {
	rows: [
		["-o --output", "required", "output"],
		["--output-dir", "required", "directory"],
		["-O --remote-name --remote-name-all -J --remote-header-name", "no", "named"],
		["-D --dump-header -c --cookie-jar --trace --trace-ascii --stderr --libcurl --etag-save --hsts --alt-svc", "required", "writes"],
		["-T --upload-file", "required", "uploads"],
		["-A -b -C -d -e -E -F -H -K -m -P -Q -r -t -u -U -x -X -y -Y -z", "required"],
		[
			"--abstract-unix-socket --aws-sigv4 --cacert --capath --cert --cert-type --ciphers --config --connect-timeout --connect-to",
			"required",
		],
		[
			"--continue-at --cookie --create-file-mode --crlfile --curves --data --data-ascii --data-binary --data-raw --data-urlencode",
			"required",
		],
		["--delegation --dns-interface --dns-ipv4-addr --dns-ipv6-addr --dns-servers --doh-url --egd-file --engine --etag-compare", "required"],
		[
			"--expect100-timeout --form --form-string --ftp-account --ftp-alternative-to-user --ftp-method --ftp-port --ftp-ssl-ccc-mode",
			"required",
		],
		[
			"--happy-eyeballs-timeout-ms --haproxy-clientip --header --hostpubmd5 --hostpubsha256 --interface --ip-tos --ipfs-gateway",
			"required",
		],
		[
			"--json --keepalive-cnt --keepalive-time --key --key-type --krb --limit-rate --local-port --login-options --mail-auth --mail-from",
			"required",
		],
		[
			"--mail-rcpt --max-filesize --max-redirs --max-time --netrc-file --noproxy --oauth2-bearer --parallel-max --pass --pinnedpubkey",
			"required",
		],
		["--preproxy --proto --proto-default --proto-redir --proxy --proxy-cacert --proxy-capath --proxy-cert --proxy-cert-type", "required"],
		["--proxy-ciphers --proxy-crlfile --proxy-header --proxy-key --proxy-key-type --proxy-pass --proxy-pinnedpubkey", "required"],
		[
			"--proxy-service-name --proxy-tls13-ciphers --proxy-tlsauthtype --proxy-tlspassword --proxy-tlsuser --proxy-user --proxy1.0",
			"required",
		],
		["--pubkey --quote --random-file --range --rate --referer --request --request-target --resolve --retry --retry-delay", "required"],
		["--retry-max-time --sasl-authzid --service-name --socks4 --socks4a --socks5 --socks5-gssapi-service --socks5-hostname", "required"],
		[
			"--speed-limit --speed-time --ssl-sessions --telnet-option --tftp-blksize --time-cond --tls-max --tls13-ciphers --tlsauthtype",
			"required",
		],
		["--tlspassword --tlsuser --trace-config --unix-socket --url --url-query --user --user-agent --variable --vlan-priority", "required"],
		["-w --write-out", "required", "format"],
		["--help -h", "optional", "inform"],
		["-0 -1 -2 -3 -4 -6 -a -B -f -g -G -i -I -j -k -l -L -M -n -N -p -q -R -s -S -v -V -Z -# -:", "no"],
		["--anyauth --append --basic --ca-native --cert-status --compressed --compressed-ssh --create-dirs --crlf --digest --disable", "no"],
		[
			"--disable-eprt --disable-epsv --disallow-username-in-url --doh-cert-status --doh-insecure --fail --fail-early --fail-with-body",
			"no",
		],
		["--false-start --form-escape --ftp-create-dirs --ftp-pasv --ftp-pret --ftp-skip-pasv-ip --ftp-ssl-ccc --ftp-ssl-control", "no"],
		["--get --globoff --haproxy-protocol --head --http0.9 --http1.0 --http1.1 --http2 --http2-prior-knowledge --http3 --http3-only", "no"],
		["--ignore-content-length --include --insecure --ipv4 --ipv6 --junk-session-cookies --list-only --location --location-trusted", "no"],
		["--mail-rcpt-allowfails --manual --metalink --negotiate --netrc --netrc-optional --next --no-alpn --no-buffer --no-clobber", "no"],
		["--no-keepalive --no-npn --no-progress-meter --no-sessionid --ntlm --ntlm-wb --parallel --parallel-immediate --path-as-is", "no"],
		["--post301 --post302 --post303 --progress-bar --proxy-anyauth --proxy-basic --proxy-ca-native --proxy-digest --proxy-http2", "no"],
		["--proxy-insecure --proxy-negotiate --proxy-ntlm --proxy-ssl-allow-beast --proxy-ssl-auto-client-cert --proxy-tlsv1", "no"],
		["--proxytunnel --raw --remote-time --remove-on-error --retry-all-errors --retry-connrefused --sasl-ir --show-error", "no"],
		["--show-headers --silent --skip-existing --socks5-basic --socks5-gssapi --socks5-gssapi-nec --ssl --ssl-allow-beast", "no"],
		["--ssl-auto-client-cert --ssl-no-revoke --ssl-reqd --ssl-revoke-best-effort --sslv2 --sslv3 --styled-output", "no"],
		["--suppress-connect-headers --tcp-fastopen --tcp-nodelay --tftp-no-options --tlsv1 --tlsv1.0 --tlsv1.1 --tlsv1.2 --tlsv1.3", "no"],
		["--no-location --no-insecure --no-fail --no-silent --no-compressed --no-progress-bar --no-show-error --no-globoff --out-null", "no"],
		["--tr-encoding --trace-ids --trace-time --use-ascii --verbose --xattr", "no"],
	],
};

/** wget(1) 1.21; -n is always followed by the letter that it negates. */
const WGET: Grammar = {
	rows: [
		["-O --output-document", "required", "output"],
		["-P --directory-prefix", "required", "directory"],
		["-o --output-file -a --append-output --save-cookies --rejected-log --hsts-file", "required", "writes"],
		["--warc-file --warc-cdx --warc-tempdir", "required", "writes"],
		["--spider", "no", "dry"],
		[
			"-e -i -B -t -T -w -Q -U -l -A -R -D -I -X --execute --input-file --base --tries --timeout --wait --quota --user-agent --level",
			"required",
		],
		["--accept --reject --accept-regex --reject-regex --regex-type --domains --exclude-domains --follow-tags --ignore-tags", "required"],
		[
			"--include-directories --exclude-directories --limit-rate --header --user --password --use-askpass --post-data --post-file",
			"required",
		],
		[
			"--method --body-data --body-file --load-cookies --referer --cut-dirs --max-redirect --ca-certificate --ca-directory --crl-file",
			"required",
		],
		[
			"--pinnedpubkey --certificate --certificate-type --private-key --private-key-type --random-file --egd-file --secure-protocol",
			"required",
		],
		["--ciphers --dns-timeout --connect-timeout --read-timeout --waitretry --bind-address --prefer-family --local-encoding", "required"],
		[
			"--remote-encoding --restrict-file-names --default-page --proxy-user --proxy-password --http-user --http-password --ftp-user",
			"required",
		],
		["--ftp-password --progress --start-pos --compression --report-speed --config --input-metalink --metalink-index", "required"],
		["--preferred-location --retry-on-http-error --warc-header --warc-max-size --warc-dedup --dns-servers --bind-dns-address", "required"],
		["-n", "optional"],
		["-h", "no", "inform"],
		["-b -c -d -E -F -H -k -K -L -m -N -p -q -r -S -v -V -x -4 -6 --background --continue --debug --quiet --verbose --no-verbose", "no"],
		["--force-html --random-wait --recursive --mirror --page-requisites --timestamping --server-response --span-hosts --relative", "no"],
		["--adjust-extension --convert-links --convert-file-only --backup-converted --backups --delete-after --no-clobber", "no"],
		["--no-directories --force-directories --no-host-directories --protocol-directories --no-parent --inet4-only --inet6-only", "no"],
		["--content-disposition --content-on-error --trust-server-names --auth-no-challenge --ignore-length --ignore-case --https-only", "no"],
		[
			"--keep-session-cookies --no-check-certificate --no-cookies --no-cache --no-proxy --no-dns-cache --no-http-keep-alive --no-hsts",
			"no",
		],
		[
			"--no-use-server-timestamps --no-config --no-netrc --no-iri --no-if-modified-since --no-passive-ftp --no-remove-listing --no-glob",
			"no",
		],
		["--ftps-implicit --ftps-resume-ssl --ftps-clear-data-connection --ftps-fallback-to-ftp --preserve-permissions --retr-symlinks", "no"],
		[
			"--retry-connrefused --retry-on-host-error --show-progress --xattr --unlink --ask-password --strict-comments --iri --input-metalink",
			"no",
		],
		["--warc-digests --no-warc-compression --no-warc-digests --no-warc-keep-log --metalink-over-http --rejected --parallel", "no"],
	],
};

const files = (texts: Bytes[]): Operand[] => texts.filter((text) => text !== "-").map((text) => ({ text, role: "written", leaf: "both" }));

const into = (text: Bytes): Operand => ({ text, role: "into", leaf: "target" });

/** `curl -T FILE file:///PATH` writes a file of this machine. */
function uploaded(parsed: Parsed): Bytes[] {
	if (!has(parsed, "uploads")) return [];
	return parsed.operands.flatMap((url) => /^file:\/\/(?:localhost|127\.0\.0\.1)?(\/.*)$/is.exec(url)?.[1] ?? []);
}

/** What a format of -w prints into: `%output{NAME}`, `%output{>>NAME}`. */
const formatted = (format: Bytes): Bytes[] => [...format.matchAll(/%output\{(?:>>)?([^}]*)\}/g)].map(([, name = ""]) => name);

export const curl: Reader = {
	name: "curl",
	read(call) {
		const parsed = parseOptions({ ...call, posix: false }, CURL);
		if (parsed.unread.length > 0) return suspectReading(call, parsed);
		if (parsed.informs) return NOTHING;
		const directory = lastValue(parsed, "directory");
		const placed = (text: Bytes) => (directory === undefined || text === "-" || text.startsWith("/") ? text : join(directory, text));
		const operands = files([...values(parsed, "output").map(placed), ...values(parsed, "writes"), ...uploaded(parsed)]);
		operands.push(...files(values(parsed, "format").flatMap(formatted)));
		if (has(parsed, "named")) operands.push(into(directory ?? "."));
		return { operands, unread: [] };
	},
};

export const wget: Reader = {
	name: "wget",
	read(call) {
		const parsed = parseOptions(call, WGET);
		if (parsed.unread.length > 0) return suspectReading(call, parsed);
		if (parsed.informs) return NOTHING;
		const output = values(parsed, "output");
		const operands = files([...output, ...values(parsed, "writes")]);
		if (output.length === 0 && !has(parsed, "dry")) operands.push(into(lastValue(parsed, "directory") ?? "."));
		return { operands, unread: [] };
	},
};
