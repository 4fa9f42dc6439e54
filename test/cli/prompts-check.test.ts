import { describe, expect, it } from 'vitest'
import { pulledProject } from './support/prompt-folder.ts'

const AWAY = { SVC_BASE_URL: 'http://127.0.0.1:1' }

describe('svc prompts check', () => {
  it('succeeds if files, lock file, types and service agree', async () => {
    const project = await pulledProject()
    const files = project.files()
    expect(await project.lines(['check'])).toEqual({ code: 0, lines: ['2 prompts: files and service agree'] })
    expect(await project.lines(['check', '--offline'], AWAY)).toEqual({
      code: 0,
      lines: ['2 prompts: files and lock file agree'],
    })
    expect(project.files()).toEqual(files)
  })

  it('compares only the prompts that are named', async () => {
    const project = await pulledProject()
    project.edit('prompts/movie-critic.md', (text) => text.replace('Judge', 'Praise'))
    const named = (name: string) => project.lines(['check', name, '--offline'], AWAY)
    expect(await named('support/guide')).toEqual({ code: 0, lines: ['1 prompt: files and lock file agree'] })
    expect(await named('movie-critic')).toEqual({
      code: 1,
      lines: ['prompts/movie-critic.md: its content changed since version 1: svc prompts push'],
    })
    expect(await named('movie')).toEqual({ code: 1, lines: ['no file in prompts has the name "movie"'] })
  })

  it('reads a lock file with a byte order mark', async () => {
    const project = await pulledProject()
    project.edit('prompts/prompts.lock.json', (text) => `\uFEFF${text}`)
    expect(await project.lines(['check', '--offline'], AWAY)).toMatchObject({ code: 0 })
  })

  it('reports local changes', async () => {
    const project = await pulledProject()
    project.edit('prompts/movie-critic.md', (text) => text.replace('Judge {{movie}}.', 'Praise {{movie}}.\nTwice.'))
    expect(await project.svc(['check'])).toMatchObject({
      code: 1,
      stderr: '',
      stdout: [
        'prompts/movie-critic.md: it was changed here since version 1: svc prompts push',
        '--- prompts/movie-critic.md in the service\tversion 1, label production',
        '+++ prompts/movie-critic.md',
        '@@ -6,4 +6,5 @@',
        ' config:',
        '   m: 1',
        ' ---',
        '-Judge {{movie}}.',
        '+Praise {{movie}}.',
        '+Twice.',
        'prompts/svc-prompts.js: it is outdated: svc prompts types regenerates it',
        '',
      ].join('\n'),
    })
    expect(await project.lines(['check', '--offline'], AWAY)).toEqual({
      code: 1,
      lines: [
        'prompts/movie-critic.md: its content changed since version 1: svc prompts push',
        'prompts/svc-prompts.js: it is outdated: svc prompts types regenerates it',
      ],
    })
    expect(await project.lines(['types'], AWAY)).toEqual({
      code: 0,
      lines: ['prompts/svc-prompts.js written', 'prompts/svc-prompts.d.ts fits'],
    })
    expect((await project.lines(['check', '--offline'], AWAY)).lines).toHaveLength(1)
  })

  it('reports changes in the service, and on both sides', async () => {
    const project = await pulledProject()
    await project.prompt.create({ name: 'movie-critic', prompt: 'Newer', labels: ['production'], config: { m: 1 } })
    const lines = async () => (await project.lines(['check'])).lines
    expect((await lines())[0]).toBe(
      'prompts/movie-critic.md: the service has version 2 (label production), and the file is version 1: svc prompts pull',
    )
    expect(await lines()).toContain('-Newer')
    project.edit('prompts/movie-critic.md', (text) => text.replace('Judge', 'Praise'))
    expect((await lines())[0]).toBe(
      'prompts/movie-critic.md: it was changed here since version 1, and the service has version 2 (label production): ' +
        'svc prompts pull --force "movie-critic" or svc prompts push --force "movie-critic"',
    )
    project.edit('prompts/movie-critic.md', (text) => text.replace('Praise {{movie}}.', 'Newer'))
    expect((await lines())[0]).toMatch(
      /with the content of the file, but the lock file has another: svc prompts pull "movie-critic"$/,
    )
    expect((await project.svc(['pull', 'movie-critic'])).code).toBe(0)
    expect((await project.lines(['check'])).code).toBe(0)
  })

  it('reports moved labels, deleted prompts, and files that were never pulled', async () => {
    const project = await pulledProject()
    const { version } = await project.prompt.create({ name: 'movie-critic', prompt: 'x', labels: ['eu'] })
    // A newer version without the label is no drift.
    expect((await project.lines(['check'])).code).toBe(0)
    await project.prompt.update({ name: 'movie-critic', version: 1, newLabels: ['beta'] })
    const lines = async () => (await project.lines(['check'])).lines
    expect(await lines()).toContain('-  - beta')
    await project.prompt.delete('movie-critic', { version: 1 })
    expect(await lines()).toEqual([
      `prompts/movie-critic.md: no version has the label production any more: use svc prompts pull --label with one of eu, latest`,
    ])
    await project.prompt.delete('movie-critic', { version })
    expect(await lines()).toEqual([
      'prompts/movie-critic.md: the service has no prompt "movie-critic": svc prompts push --force creates it',
    ])
    project.write('prompts/own.md', '---\nname: own\n---\nMine\n')
    expect(await lines()).toContain('prompts/own.md: the service has no prompt "own": svc prompts push creates it')
    await project.prompt.create({ name: 'own', prompt: 'Theirs' })
    expect(await lines()).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/^prompts\/own\.md: it was never pulled, and .* version 1/),
        '-Theirs',
      ]),
    )
  })

  it('reports a template that cannot be compiled with its position, and push does not store it', async () => {
    const project = await pulledProject()
    project.edit('prompts/movie-critic.md', (text) => text.replace('{{movie}}', '{{movie'))
    project.edit('prompts/support/guide.yaml', (text) => text.replace('{{city}}', '{{#city}}'))
    const mistakes = [
      'prompts/movie-critic.md:9:7: the template cannot be compiled: Unclosed tag',
      'prompts/support/guide.yaml:8:16: the template cannot be compiled: Unclosed section "city"',
    ]
    expect((await project.lines(['check', '--offline'])).lines).toEqual(expect.arrayContaining(mistakes))
    expect(await project.lines(['push'])).toEqual({ code: 1, lines: mistakes })
  })
})
