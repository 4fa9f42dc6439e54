// In no variant is anything said about this one.
export const dynamic = 'force-dynamic'

export const GET = () => Response.json({ answer: 42 })
