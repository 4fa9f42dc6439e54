/**
 * Returns the route of a request as Next writes it, `/api/chats/[id]`: its path, with the names of parameters put back,
 * so that all requests of a route have one name. Never rejects.
 */
export async function routeOf(request: Request, context: unknown): Promise<string> {
  try {
    const pathname = pathOf(request.url)
    const params: unknown = await (context as { params?: unknown } | undefined)?.params
    if (typeof params !== 'object' || params === null) return pathname
    return Object.entries(params).reduce(withParameter, pathname)
  } catch {
    return '/'
  }
}

/** Returns the path of a URL that is absolute and in its normal form already. */
function pathOf(url: string): string {
  return /^[^:/]+:\/\/[^/?#]*([^?#]*)/.exec(url)?.[1] || '/'
}

function withParameter(path: string, [name, value]: [string, unknown]): string {
  const values = [value].flat().filter((each): each is string => typeof each === 'string' && each !== '')
  const text = values.map((each) => `/${encodeURIComponent(each)}`).join('')
  if (text === '') return path
  const at = `${path}/`.lastIndexOf(`${text}/`)
  if (at < 0) return path
  const placeholder = Array.isArray(value) ? `/[...${name}]` : `/[${name}]`
  return path.slice(0, at) + placeholder + path.slice(at + text.length)
}
