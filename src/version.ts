// The version of this tmx; build.ts puts the one of package.json in its place.

declare const TMX_VERSION: string | undefined;

export const VERSION: string = typeof TMX_VERSION === "string" ? TMX_VERSION : "0.0.0-source";
