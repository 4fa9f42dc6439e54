import { cpSync, existsSync, rmSync } from 'node:fs'
import { beforeAll, describe, expect, it } from 'vitest'
import { OTHER_NODES, THIS_NODE } from '../../support/nodes.ts'
import type { Service } from '../../support/service.ts'
import { type App, type AppName, folderOf } from '../app.ts'
import { running } from './running.ts'

/** Without us, and with all of us that a file may have. */
export type How = 'bare' | 'svc'

/** A file of the application in both forms. */
export interface Answered {
  readonly title: string
  /** Whether Next makes its answer anew after a time. */
  readonly isRenewed: boolean
  addressOf(how: How): string
}

const TOLD = ['cache-control', 'content-type', 'x-nextjs-cache', 'x-nextjs-prerender', 'vary', 'set-cookie']

/** What a client sees of an answer, and when it was made. */
async function ask(url: string, headers: Record<string, string> = {}) {
  const response = await fetch(url, { headers })
  const [, id, at] = /(\w+) at ([\d.]+)/.exec(await response.text()) ?? []
  const told = TOLD.map((name) => [name, response.headers.get(name)])
  return { at, told: { status: response.status, id, ...Object.fromEntries(told) } }
}

/** Each file answers as it would without us, on each Node: how Next renders it, what it keeps, when it makes it anew. */
export function answersOnEachNode(service: () => Service, app: AppName, cells: readonly Answered[]): void {
  const [server, asBuilt] = [folderOf(app, '.next/server'), folderOf(app, '.next/server-as-built')]

  describe.each([THIS_NODE, ...OTHER_NODES])('each way to render, on Node %s,', (node) => {
    // What one kept the next would find.
    beforeAll(() => {
      if (!existsSync(asBuilt)) cpSync(server, asBuilt, { recursive: true })
      rmSync(server, { recursive: true })
      cpSync(asBuilt, server, { recursive: true })
    })
    answers(running(service, { app, node, env: { SVC_FLUSH_INTERVAL: '0.05' } }), cells)
  })
}

function answers(app: () => App, cells: readonly Answered[]): void {
  describe.each(cells)('a $title', ({ addressOf, isRenewed }) => {
    const urlOf = (how: How) => app().url + addressOf(how)

    /** Two answers. How old one is that is made anew in time depends on how busy this machine is. */
    const seen = async (how: How, headers?: Record<string, string>) => {
      const [first, second] = [await ask(urlOf(how), headers), await ask(urlOf(how), headers)]
      const told = [first.told, second.told]
      if (isRenewed) return told.map((each) => ({ ...each, 'x-nextjs-cache': undefined }))
      return [...told, first.at === second.at]
    }

    it('answers as the same file without us, also in draft mode', async () => {
      const draft = await fetch(`${app().url}/api/draft`)
      const cookie = draft.headers
        .getSetCookie()
        .map((each) => each.split(';', 1)[0])
        .join('; ')
      expect(await seen('svc')).toEqual(await seen('bare'))
      expect(await seen('svc', { cookie })).toEqual(await seen('bare', { cookie }))
    })

    if (isRenewed) {
      it('is made anew in time', async () => {
        const { at } = await ask(urlOf('svc'))
        await expect.poll(async () => (await ask(urlOf('svc'))).at).not.toBe(at)
      })
    }
  })
}
