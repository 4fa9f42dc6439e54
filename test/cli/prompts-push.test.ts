import { describe, expect, it } from 'vitest'
import { makeProject, pulledProject } from './support/prompt-folder.ts'

const posted = ({ local }: Awaited<ReturnType<typeof makeProject>>) =>
  local.calls().filter(({ method, path }) => method !== 'GET' && path.includes('/prompts')).length

describe('svc prompts push', () => {
  it('stores changed files with their labels, and nothing twice', async () => {
    const project = await pulledProject()
    project.edit('prompts/movie-critic.md', (text) => text.replace('Judge', 'Praise').replace('production', 'staging'))
    const before = posted(project)
    expect(await project.lines(['push', '--dry-run'])).toEqual({
      code: 0,
      lines: ['movie-critic: version 2 would be stored, with the label staging'],
    })
    expect(posted(project)).toBe(before)
    expect(await project.lines(['push', '-m', 'kinder'])).toEqual({
      code: 0,
      lines: ['movie-critic: version 2 is stored, with the label staging'],
    })
    expect(posted(project)).toBe(before + 1)
    expect(await project.prompt.get('movie-critic', { label: 'staging' })).toMatchObject({
      ...{ version: 2, prompt: 'Praise {{movie}}.', config: { m: 1 }, commitMessage: 'kinder' },
    })
    expect((await project.prompt.get('movie-critic')).version).toBe(1)
    expect(project.lock()['movie-critic']).toMatchObject({
      version: 2,
      latest: 2,
      label: 'staging',
      labels: ['staging'],
    })
    expect(project.files()['svc-prompts.js']).toContain('Praise {{movie}}.')
    expect(await project.lines(['push'])).toEqual({
      code: 0,
      lines: ['nothing to push: the files match the lock file'],
    })
    expect((await project.lines(['check'])).code).toBe(0)
    expect(posted(project)).toBe(before + 1)
  })

  it('stores a new file', async () => {
    const project = await makeProject({
      'prompts/new.md': '---\nname: brand/new\nlabels: [production]\n---\nHello {{name}}\n',
      'prompts/talk.yaml':
        'name: talk\nmessages:\n  - placeholder: history\n  - { role: user, content: hi, name: ada }\n',
      'prompts/README.md': 'Prompts of the shop.\n',
    })
    expect(await project.lines(['push'])).toEqual({
      code: 0,
      lines: ['brand/new: version 1 is stored, with the label production', 'talk: version 1 is stored'],
    })
    expect((await project.prompt.get('brand/new')).compile({ name: 'Ada' })).toBe('Hello Ada')
    const talk = await project.prompt.get('talk', { type: 'chat', label: 'latest' })
    expect(talk.prompt).toMatchObject([
      { type: 'placeholder', name: 'history' },
      { role: 'user', content: 'hi', name: 'ada' },
    ])
    expect(project.lock().talk).toMatchObject({ file: 'talk.yaml', label: 'latest' })
    expect((await project.lines(['check'])).code).toBe(0)
  })

  it('updates labels if only these changed', async () => {
    const project = await pulledProject()
    project.edit('prompts/movie-critic.md', (text) => text.replace('  - production\n', '  - production\n  - eu\n'))
    expect((await project.lines(['push', 'movie-critic'])).lines).toEqual([
      'movie-critic: version 1 is unchanged, with the label eu',
    ])
    expect((await project.prompt.get('movie-critic', { label: 'eu' })).version).toBe(1)
    expect((await project.lines(['check'])).code).toBe(0)
    project.edit('prompts/movie-critic.md', (text) => text.replace('  - eu\n', ''))
    expect(await project.lines(['push'])).toEqual({
      code: 1,
      lines: [
        'prompts/movie-critic.md: the service cannot take the label eu from version 1: move it to another version',
      ],
    })
  })

  it('refuses if the service has a newer version, and pushes none of the others', async () => {
    const project = await pulledProject()
    project.edit('prompts/movie-critic.md', (text) => text.replace('Judge', 'Praise'))
    project.edit('prompts/support/guide.yaml', (text) => text.replace('know', 'love'))
    await project.prompt.create({ name: 'movie-critic', prompt: 'Of somebody else' })
    const before = posted(project)
    expect(await project.lines(['push'])).toEqual({
      code: 1,
      lines: [
        'prompts/movie-critic.md: the service has version 2, the lock file knows up to version 1. svc prompts check shows the difference; ' +
          'svc prompts pull --force "movie-critic" overwrites the file, svc prompts push --force "movie-critic" creates the next version from the file',
      ],
    })
    expect(posted(project)).toBe(before)
    expect((await project.lines(['push', '--force', 'movie-critic'])).lines).toEqual([
      'movie-critic: version 3 is stored, with the label production',
    ])
    expect((await project.lines(['push'])).lines).toEqual([
      'support/guide: version 2 is stored, with the label production',
    ])
  })

  it('refuses a new file with an existing name, unless the content is the same', async () => {
    const project = await makeProject({ 'prompts/a.md': '---\nname: a\nlabels: [production]\n---\nHello\n' })
    await project.prompt.create({ name: 'a', prompt: 'Bye' })
    const { code, lines } = await project.lines(['push'])
    expect({ code, lines }).toEqual({
      code: 1,
      lines: [expect.stringContaining('has version 1, it was never pulled.')],
    })
    await project.prompt.create({ name: 'a', prompt: 'Hello' })
    expect((await project.lines(['push'])).lines).toEqual(['a: version 2 is unchanged, with the label production'])
    project.edit('prompts/a.md', (text) => text.replace('Hello', 'Hi'))
    await project.prompt.delete('a')
    expect((await project.lines(['push'])).lines).toEqual([
      'prompts/a.md: the service no longer has this prompt: delete the file, or create the prompt again: svc prompts push --force "a"',
    ])
    expect((await project.lines(['push', '--force'])).lines).toEqual([
      'a: version 1 is stored, with the label production',
    ])
  })

  it('does not store a prompt again after a failed write of the lock file', async () => {
    const project = await pulledProject()
    const lock = project.read('prompts/prompts.lock.json')
    project.edit('prompts/movie-critic.md', (text) => text.replace('Judge', 'Praise'))
    await project.svc(['push'])
    project.write('prompts/prompts.lock.json', lock)
    expect((await project.lines(['push'])).lines).toEqual(['movie-critic: version 2 is unchanged'])
    expect(project.lock()['movie-critic'].version).toBe(2)
  })

  it('reports which prompts were stored if one fails', async () => {
    const project = await makeProject({
      'prompts/a.md': '---\nname: a\n---\nA\n',
      'prompts/b.md': '---\nname: b\n---\nB\n',
      'prompts/c.md': '---\nname: c\n---\nC\n',
    })
    const refused = { status: 400, body: { message: 'no' } }
    const post = 'POST /api/public/v2/prompts'
    for (const reply of [{}, refused]) project.local.respond(post, reply)
    expect(await project.lines(['push'])).toEqual({
      code: 1,
      lines: [
        'a: version 1 is stored',
        'c: version 1 is stored',
        expect.stringMatching(/^b: not pushed: POST \S+ answered 400/),
      ],
    })
    expect(Object.keys(project.lock())).toEqual(['a', 'c'])
    expect((await project.lines(['push'])).lines).toEqual(['b: version 1 is stored'])
  })

  it('untracks a prompt whose file was deleted, and keeps it in the service', async () => {
    const project = await pulledProject()
    project.remove('prompts/movie-critic.md')
    expect((await project.lines(['check'])).lines[0]).toBe(
      'prompts/movie-critic.md: it is only in the lock file: svc prompts pull restores it, svc prompts push removes it',
    )
    expect((await project.lines(['push'])).lines[0]).toBe('movie-critic: removed from the lock file')
    expect(Object.keys(project.lock())).toEqual(['support/guide'])
    expect(project.files()['svc-prompts.d.ts']).not.toContain('movie-critic')
    expect((await project.prompt.get('movie-critic')).version).toBe(1)
  })
})
