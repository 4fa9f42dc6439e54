/** Nobody wrapped it. */
export async function POST(): Promise<Response> {
  throw new Error('the route broke')
}
