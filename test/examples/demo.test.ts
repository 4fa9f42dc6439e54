import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { startApp } from '../../scripts/demo-app.mjs'
import { runNode } from '../support/run.ts'
import { screens, timeless } from './readme.ts'

const demo = fileURLToPath(new URL('../../scripts/demo.mjs', import.meta.url))
const root = fileURLToPath(new URL('../../', import.meta.url))

describe('npm start', () => {
  it('prints the tree that the README shows', async () => {
    const { stdout } = await runNode([demo, '--once'])
    const [tree] = screens(readFileSync(`${root}README.md`, 'utf8'))
    expect(tree).toContain('POST /tools')
    expect(timeless(stdout)).toContain(timeless(tree ?? ''))
  })

  it('reports unknown arguments and exits with 1', async () => {
    const { code, stderr } = await runNode([demo, '--twice'])
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringMatching(/^demo: .*--twice/) })
  })

  it('reports how the app ended if it ends by itself', async () => {
    const app = startApp(import.meta.dirname, 'fails.mjs', {})
    await expect(app.listening).rejects.toThrow('fails.mjs ended with code 1')
    await app.stop()
  })
})
