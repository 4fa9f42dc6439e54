// A development server of Vite that renders each request by the newest text of `dev-app.js`, as frameworks on it do.
export default {
  appType: 'custom',
  logLevel: 'warn',
  server: { port: 0 },
  // Evaluated again with each edit, too: a copy of ours, and of the library, for each.
  ssr: { noExternal: ['openai', /^@svc\/(?!register)/] },
  plugins: [
    {
      name: 'rendered',
      configureServer(server) {
        server.httpServer.on('listening', () => console.log(`http://localhost:${server.httpServer.address().port}`))
        const paths = {
          version: async ({ version }) => version,
          chat: ({ answer }) => answer(),
          // Ends it as a program does that has nothing more to do.
          async left() {
            await new Promise((resolve) => setImmediate(resolve))
            globalThis.gc()
            setImmediate(() => server.close())
            return String(globalThis.versions.filter((each) => each.deref() !== undefined).length)
          },
        }
        return () =>
          server.middlewares.use(async ({ originalUrl }, response) => {
            const app = await server.ssrLoadModule('/dev-app.js')
            response.setHeader('connection', 'close').end(await paths[originalUrl.slice(1)](app))
          })
      },
      // A copy of the library and of ours for each edit.
      hotUpdate() {
        this.environment.moduleGraph.invalidateAll()
      },
    },
  ],
}
