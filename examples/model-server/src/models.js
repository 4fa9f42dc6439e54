const NAMES = ['gpt-4o-mini', 'gpt-5-mini', 'o4-mini', 'text-embedding-3-small', 'gpt-3.5-turbo-instruct']

export function models() {
  const data = NAMES.map((id) => ({ id, object: 'model', created: 1_700_000_000, owned_by: 'model-server' }))
  return { json: { object: 'list', data } }
}
