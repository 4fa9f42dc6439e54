export const dynamic = 'force-dynamic'

/** CPU µs of the server until now. */
export function GET() {
  const { user, system } = process.cpuUsage()
  return Response.json({ cpu: user + system })
}
