// The work behind the functions that an application wraps its own with. Here it is called directly; for edge runtimes see
// implementation-edge.ts.
export { isBuilding as isInactive } from '../host.ts'
export { seal, unseal } from '../identity/seal.ts'
export { observeRoute } from '../route/observe-route.ts'
export { observeAction } from '../server/observe-action.ts'
export { observeProxy } from '../server/observe-proxy.ts'
export { observeRender } from '../server/observe-render.ts'
export { shareTrace } from '../server/share-trace.ts'
