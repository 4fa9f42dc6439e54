import { wrap } from '#variant'

export const dynamic = 'force-dynamic'

export const GET = wrap('trivial', () => Response.json({ answer: 42 }))
