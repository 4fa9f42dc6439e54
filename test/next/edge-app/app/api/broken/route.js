/** Nobody wrapped it. */
export const dynamic = 'force-dynamic'

export function GET() {
  throw new Error('the route broke')
}
