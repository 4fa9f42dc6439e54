import { after } from 'next/server.js'

/** Next's own way to work after the response. Throws outside of a request that Next knows. */
export const afterResponse: ((work: () => Promise<void>) => void) | undefined = after
