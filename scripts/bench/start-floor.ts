import { createServer } from "node:http";

/** Programs of which Herald is one more; each is given as its first argument what it holds. All answer HTTP on the port. */
const [variant = "node", port = "0", platformUrl = "", database = ""] = process.argv.slice(2);

if (variant === "node") {
  createServer((_request, response) => response.end("{}")).listen(Number(port), "127.0.0.1");
} else {
  const { default: Koa } = await import("koa");
  const { default: Router } = await import("@koa/router");
  const sdk = await import("@larksuiteoapi/node-sdk");
  const quiet = { error() {}, warn() {}, info() {}, debug() {}, trace() {} };
  const app = { appId: "cli_00be4c0000be4c00", appSecret: "bench-secret-of-no-use", domain: platformUrl };
  const logging = { logger: quiet, loggerLevel: sdk.LoggerLevel.error };
  const client = new sdk.Client({ ...app, ...logging });
  const router = new Router();
  router.get("/healthz", (context) => {
    context.body = { alive: client !== undefined };
  });
  const koa = new Koa();
  koa.use(router.routes());
  if (variant === "all") {
    const [{ PrismaClient }, { SqliteAdapterFactory }] = await Promise.all([
      import("../../src/generated/sqlite/client.ts"),
      import("../../src/engine/sqlite-adapter.ts"),
    ]);
    const prisma = new PrismaClient({ adapter: new SqliteAdapterFactory({ path: database }) });
    await prisma.person.count();
    const dispatcher = new sdk.EventDispatcher(logging).register({});
    void new sdk.WSClient({ ...app, ...logging }).start({ eventDispatcher: dispatcher });
  }
  const handle = koa.callback();
  createServer((request, response) => void handle(request, response)).listen(Number(port), "127.0.0.1");
}
