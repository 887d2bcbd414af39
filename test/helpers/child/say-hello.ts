// A small program for test/run.test.ts: one part is loaded late, as the server loads its database client.
const { hello } = await import("./hello.ts");
process.stdout.write(`${hello(process.argv.slice(2))}\n`);
