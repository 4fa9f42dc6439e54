// The work behind the functions that an application wraps its own with. Here it is called directly; for edge runtimes see
// implementation-edge.ts.
export { deliverWithRequests } from '../delivery.ts'
export { isBuilding as isInactive, service } from '../host.ts'
export { mergeIdentities, resolveIdentity } from '../identity/identity.ts'
export { propagateIdentity } from '../identity/propagate.ts'
export { seal, unseal } from '../identity/sealed.ts'
export { trustedContext } from '../identity/trust.ts'
export { observeRoute } from '../route/observe-route.ts'
export { runWork } from '../work.ts'
