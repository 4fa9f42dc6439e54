// Where a service is that was told nothing, and what opens it: what a client needs of this package, and no more.

// Not 3000, where `nest new` and `next dev` put the application.
export const DEFAULT_PORT = 3_939

/** Keys of a service that was given none. Readable on purpose: they protect nothing beyond this machine. */
export const DEFAULT_KEYS = { publicKey: 'pk-svc-local', secretKey: 'sk-svc-local' } as const
