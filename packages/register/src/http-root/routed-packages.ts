/** The packages whose routers `followRoutes` hooks, apart from it so that a start need not load it. */
export const ROUTED_PACKAGES: readonly string[] = ['@koa/router', 'koa-router', 'hono', 'h3']
