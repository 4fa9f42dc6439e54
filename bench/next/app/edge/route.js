import { wrap } from '#variant'

export const runtime = 'edge'

export const GET = wrap('edge', () => Response.json({ answer: 42 }))
