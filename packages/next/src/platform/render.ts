import { workUnitAsyncStorage } from 'next/dist/server/app-render/work-unit-async-storage.external.js'

/**
 * Whether Next renders here for its cache (`revalidate`, Cache Components) and not for one request. A look at the headers
 * would then make the route dynamic, or fail it. Next tells it nowhere else.
 */
export function rendersForCache(): boolean {
  return workUnitAsyncStorage?.getStore()?.type.startsWith('prerender') ?? false
}
