# What a floor refuses, by perl: `acts.pl OUTSIDE INSIDE` prints `NAME ERRNO` or `NAME done`.
use strict;
use warnings;
use Errno;
use POSIX ();

my ($o, $i) = @ARGV;
my @acts = (
    create => sub { open(my $f, '>', "$o/new") },
    write => sub { open(my $f, '+<', "$o/file") },
    append => sub { open(my $f, '>>', "$o/file") },
    "open-truncate" => sub { open(my $f, '>', "$o/file") },
    truncate => sub { truncate("$o/file", 0) },
    unlink => sub { unlink("$o/file") },
    rmdir => sub { rmdir("$o/empty") },
    "rename-out" => sub { rename("$o/file", "$i/stolen") },
    "rename-in" => sub { rename("$i/mine", "$o/put") },
    "link-in" => sub { link("$i/mine", "$o/hard") },
    symlink => sub { symlink("file", "$o/soft") },
    mkdir => sub { mkdir("$o/directory") },
    mkfifo => sub { POSIX::mkfifo("$o/fifo", 0600) },
);

while (my ($name, $act) = splice(@acts, 0, 2)) {
    $! = 0;
    my $done = $act->();
    my ($error) = grep { $!{$_} } keys %!;
    print $done ? "$name done\n" : "$name " . ($error // 'failed') . "\n";
}
