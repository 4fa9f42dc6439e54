// Replaces on-server.ts in bundles for edge runtimes.

export const ON_SERVER: boolean = false
