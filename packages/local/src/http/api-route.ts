import type { Access, Route } from './router.ts'

export const API = '/api/public'

/** A row for an endpoint of the API, under the name that the client has for it. */
export const api = <Service>(
  endpoint: string,
  request: `${string} /${string}`,
  handle: Route<Service>['handle'],
  access: Access = 'project',
): Route<Service> => {
  const [method = '', path = ''] = request.split(' ')
  return { endpoint, method, path: `${API}${path}`, access, handle }
}
