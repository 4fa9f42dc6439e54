// A development server of Vite that renders each request by the newest text of `dev-app.js`, as frameworks on it do.
export default {
  appType: 'custom',
  logLevel: 'warn',
  server: { port: 0, watch: null },
  // Evaluated again with each edit, too: a copy of ours, and of the library, for each.
  ssr: { noExternal: ['openai', /^@svc\//] },
  plugins: [
    {
      name: 'rendered',
      configureServer(server) {
        server.httpServer.on('listening', () => console.log(`http://localhost:${server.httpServer.address().port}`))
        return () =>
          server.middlewares.use(async (_, response) => {
            server.environments.ssr.moduleGraph.invalidateAll()
            const { answer } = await server.ssrLoadModule('/dev-app.js')
            response.end(await answer())
          })
      },
    },
  ],
}
