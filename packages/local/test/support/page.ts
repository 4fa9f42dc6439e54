import type { LocalService } from '../../src/index.ts'

/** What a browser sends that has opened the printed URL of a service. */
export async function opened({ pageUrl }: Pick<LocalService, 'pageUrl'>): Promise<{ cookie: string }> {
  const { headers } = await fetch(pageUrl, { redirect: 'manual' })
  return { cookie: (headers.get('set-cookie') ?? '').split(';', 1)[0] ?? '' }
}
