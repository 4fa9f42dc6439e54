import type { App } from '../app/app.ts'
import type { Finding } from '../finding.ts'
import { hasPreload } from './start.ts'

/** Checks that Next starts svc: `instrumentation.ts` has to be in the right folder. */
export function checkNext({ framework, sources, packages, starts }: App): Finding[] {
  if (framework !== 'next') return []
  const files = sources.filter(({ path }) => /^(src\/)?instrumentation\.[cm]?[jt]s$/.test(path))
  const file = files.find(({ text }) => /\bregisterSvc\b/.test(text))
  if (!file && starts.some(hasPreload)) return [{ id: 'preload', severity: 'ok', seen: 'the preload comes first' }]
  const pages = sources.find(({ path }) => /^(src\/)?(app|pages)\//.test(path))
  const place = pages?.path.startsWith('src/') ? 'src/instrumentation.ts' : 'instrumentation.ts'
  if (!packages.resolve('@svc/next')) {
    const seen = '@svc/next is not installed here'
    return [
      { id: 'next-not-installed', severity: 'error', seen, means: 'Nothing starts svc.', remedy: 'npm i @svc/next' },
    ]
  }
  if (!file) {
    return [
      {
        id: 'next-instrumentation',
        severity: 'error',
        seen: files[0] ? `${files[0].path} does not call registerSvc` : 'there is no instrumentation.ts',
        means: 'Nothing starts svc.',
        remedy: `${place}: import { registerSvc } from '@svc/next' and export const register = () => registerSvc()`,
      },
    ]
  }
  if (pages && file.path.startsWith('src/') !== place.startsWith('src/')) {
    return [
      {
        id: 'next-instrumentation-place',
        severity: 'error',
        seen: `${file.path}, while the pages are in ${pages.path.split('/').slice(0, -1).join('/')}`,
        means: 'Next looks for it next to the folder app or pages, and does not find it.',
        remedy: `Move it to ${place}.`,
      },
    ]
  }
  return [{ id: 'preload', severity: 'ok', seen: `${file.path} calls registerSvc` }]
}
