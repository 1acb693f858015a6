// The program that does nothing: the floor of every start.

if (process.argv0.endsWith("/empty")) process.exit(0);
