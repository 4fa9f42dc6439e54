import { expect, it } from 'vitest'
import { matchRoute, type Route } from './router.ts'

const row = (method: string, path: string): Route<object> => ({
  method,
  path,
  access: 'anyone',
  handle: () => ({ status: 200 }),
})
const ROUTES = [
  row('GET', '/'),
  row('GET', '/things/{id}'),
  row('DELETE', '/things/{id}'),
  row('GET', '/things/{id}/parts/{part}'),
]

it.each([
  ['GET', '/', ROUTES[0], {}],
  ['GET', '/things/1', ROUTES[1], { id: '1' }],
  ['DELETE', '/things/1', ROUTES[2], { id: '1' }],
  ['HEAD', '/things/1', ROUTES[1], { id: '1' }],
  ['GET', '/things/a%20b%2Fc/parts/%zz', ROUTES[3], { id: 'a b/c', part: '%zz' }],
])('the request %s %s is routed to its row', (method, path, route, params) => {
  expect(matchRoute(ROUTES, method, path)).toEqual({ route, params })
})

it('a known path with another method returns the allowed methods', () => {
  expect(matchRoute(ROUTES, 'POST', '/things/1')).toEqual({ allowed: ['GET', 'DELETE'] })
})

it.each(['/things', '/things/', '/things/1/', '/thing/1', '//things/1'])('the path %s is not in the table', (path) => {
  expect(matchRoute(ROUTES, 'GET', path)).toBeUndefined()
})
