import { describe, expect, it } from 'vitest'
import { makeProject, pulledProject } from './support/prompt-folder.ts'

describe('svc prompts pull', () => {
  it('writes a file for each prompt, the lock file and the module, and nothing the second time', async () => {
    const project = await makeProject()
    await project.prompt.create({
      name: 'movie-critic',
      prompt: 'Judge {{movie}}.\n',
      labels: ['production', 'eu'],
      config: { m: 1 },
    })
    await project.prompt.create({
      name: 'support/guide',
      type: 'chat',
      prompt: [{ role: 'user', content: '{{q}}' }],
      labels: ['production'],
    })
    await project.prompt.create({ name: 'draft', prompt: 'not yet' })
    expect(await project.lines(['pull'])).toEqual({
      code: 0,
      lines: [
        'support/guide: version 1 → prompts/support/guide.yaml',
        'movie-critic: version 1 → prompts/movie-critic.md',
        '2 prompts: 2 written, 0 unchanged',
        'without the label production, so not pulled: draft',
      ],
    })
    const files = project.files()
    expect(Object.keys(files)).toEqual([
      'movie-critic.md',
      'prompts.lock.json',
      'support/guide.yaml',
      'svc-prompts.d.ts',
      'svc-prompts.js',
    ])
    expect(files['movie-critic.md']).toBe(
      '---\nname: movie-critic\ntype: text\nlabels:\n  - eu\n  - production\nconfig:\n  m: 1\n---\nJudge {{movie}}.\n\n',
    )
    expect(project.lock()).toEqual({
      'movie-critic': {
        ...{ file: 'movie-critic.md', version: 1, latest: 1, label: 'production', labels: ['eu', 'production'] },
        hash: expect.stringMatching(/^sha256-/),
      },
      'support/guide': expect.objectContaining({ file: 'support/guide.yaml', version: 1 }),
    })
    expect((await project.lines(['pull'])).lines[0]).toBe('2 prompts: 0 written, 2 unchanged')
    expect(project.files()).toEqual(files)
  })

  it('leaves out a prompt whose name no address can have, and says so', async () => {
    const project = await makeProject()
    const { url, publicKey, secretKey } = project.local
    // As another client may have created it: ours refuses the name.
    const { status } = await fetch(`${url}/api/public/v2/prompts`, {
      method: 'POST',
      headers: { authorization: `Basic ${btoa(`${publicKey}:${secretKey}`)}`, 'content-type': 'application/json' },
      body: JSON.stringify({ name: '..', type: 'text', prompt: 'Up', labels: ['production'] }),
    })
    expect(status).toBeLessThan(300)
    await project.prompt.create({ name: 'movie-critic', prompt: 'Judge.', labels: ['production'] })
    expect(await project.lines(['pull'])).toEqual({
      code: 1,
      lines: [
        'movie-critic: version 1 → prompts/movie-critic.md',
        '1 prompt: 1 written, 0 unchanged',
        '".." cannot be read: no address has this name',
      ],
    })
  })

  it('writes a line for a prompt, whatever its name and its labels are', async () => {
    const project = await makeProject()
    const { url, publicKey, secretKey } = project.local
    // As another client may have created it: ours refuses the name.
    const { status } = await fetch(`${url}/api/public/v2/prompts`, {
      method: 'POST',
      headers: { authorization: `Basic ${btoa(`${publicKey}:${secretKey}`)}`, 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'a\nother: version 9', type: 'text', prompt: 'Up', labels: ['production'] }),
    })
    expect(status).toBeLessThan(300)
    const { lines } = await project.lines(['pull'])
    expect(lines[0]).toMatch(/^a other: version 9: version 1 → /)
    expect(lines).toHaveLength(2)
  })

  it('updates prompts by their previous label, and keeps moved files in place', async () => {
    const project = await pulledProject()
    await project.prompt.create({ name: 'movie-critic', prompt: 'Newer', labels: ['staging'] })
    await project.prompt.create({ name: 'other', prompt: 'Other', labels: ['production'] })
    project.write('prompts/films/critic.md', project.read('prompts/movie-critic.md'))
    project.remove('prompts/movie-critic.md')
    expect(await project.lines(['pull'])).toEqual({
      code: 0,
      lines: ['2 prompts: 0 written, 2 unchanged', 'without a file: other (svc prompts pull --all)'],
    })
    expect(project.lock()['movie-critic']).toMatchObject({ file: 'films/critic.md', version: 1, latest: 2 })
    expect((await project.svc(['pull', '--label', 'staging', 'movie-critic'])).code).toBe(0)
    expect(project.read('prompts/films/critic.md')).toContain('\n---\nNewer\n')
    expect(project.lock()['movie-critic']).toMatchObject({ label: 'staging', version: 2 })
    await project.prompt.create({ name: 'movie-critic', prompt: 'Newest', labels: ['staging'] })
    expect((await project.svc(['pull'])).stdout).toContain('movie-critic: version 3 → prompts/films/critic.md')
    expect((await project.svc(['pull', '--all'])).stdout).toContain('other: version 1 → prompts/other.md')
  })

  it('keeps every name and text unchanged, in file names valid on every system', async () => {
    const project = await makeProject()
    const names = [
      'a',
      'A',
      'a.md/b',
      'a:b',
      '../up',
      '/lead',
      'x//y',
      'CON',
      'nul.txt',
      'README',
      '.hidden',
      'end.',
      'é',
      'e\u0301',
      '%41',
      'a b?',
      '__proto__',
      'x'.repeat(180),
    ]
    const texts = ['---\nname: b\n---\n', 'a \n\t\n b\r\nc\n\n', '', '\ufeff{{x}}🦆', '{{{raw}}} {{&raw}}']
    for (const [at, name] of names.entries()) {
      const prompt = texts[at % texts.length] ?? ''
      await project.prompt.create({ name, prompt: prompt || ' ', labels: ['production'] })
      const content = prompt || '\n'
      await project.prompt.create({
        name: `${name} chat`,
        type: 'chat',
        prompt: [{ role: 'user', content }],
        labels: ['production'],
      })
    }
    expect((await project.svc(['pull'])).code).toBe(0)
    const paths = Object.keys(project.files()).filter((path) => /\.(?:md|yaml)$/.test(path))
    expect(paths).toHaveLength(names.length * 2)
    expect(new Set(paths.map((path) => path.normalize('NFC').toLowerCase())).size).toBe(paths.length)
    const unsafe = /[<>:"\\|?*]|(?:^|\/)(?:\.|(?:con|nul|readme)\.)|[. ]\/|\.\//i
    expect(paths.filter((path) => unsafe.test(path))).toEqual([])
    expect(await project.lines(['check'])).toEqual({ code: 0, lines: ['36 prompts: files and service agree'] })
    expect((await project.lines(['push'])).lines).toEqual(['nothing to push: the files match the lock file'])
    expect((await project.lines(['pull'])).lines[0]).toBe('36 prompts: 0 written, 36 unchanged')
  })

  it('refuses to overwrite local changes, names them, and changes nothing', async () => {
    const project = await pulledProject()
    project.edit('prompts/movie-critic.md', (text) => text.replace('Judge', 'Praise'))
    await project.prompt.create({ name: 'movie-critic', prompt: 'Newer', labels: ['production'] })
    await project.prompt.create({
      name: 'support/guide',
      type: 'chat',
      prompt: [{ role: 'user', content: 'Newer' }],
      labels: ['production'],
    })
    const files = project.files()
    expect(await project.lines(['pull'])).toEqual({
      code: 1,
      lines: [
        'prompts/movie-critic.md has local changes: svc prompts push creates a version from them, svc prompts pull --force "movie-critic" overwrites them with version 2',
      ],
    })
    expect(project.files()).toEqual(files)
    expect((await project.svc(['pull', '--force'])).code).toBe(0)
    expect(project.files()['movie-critic.md']).toContain('\n---\nNewer\n')
  })

  it('writes nothing if one of several prompts cannot be fetched', async () => {
    const project = await makeProject()
    for (const name of ['one', 'two', 'three'])
      await project.prompt.create({ name, prompt: name, labels: ['production'] })
    project.local.respond('GET /api/public/v2/prompts/two', { status: 400, body: { message: 'no' } })
    const { code, lines } = await project.lines(['pull'])
    expect({ code, lines }).toEqual({ code: 1, lines: [expect.stringMatching(/^GET \S+two answered 400/)] })
    expect(project.files()).toEqual({})
  })

  it('recovers if the process ended before the lock file was written', async () => {
    const project = await pulledProject()
    project.remove('prompts/prompts.lock.json')
    expect((await project.lines(['pull'])).lines).toEqual(['2 prompts: 0 written, 2 unchanged'])
    expect(Object.keys(project.lock())).toEqual(['movie-critic', 'support/guide'])
  })

  it('writes a prompt that refers to others as it is, without a fallback', async () => {
    const project = await makeProject()
    await project.prompt.create({ name: 'whole', prompt: 'Be kind. {{x}}', labels: ['production'] })
    const answer = { name: 'whole', version: 1, type: 'text', config: {}, labels: ['production'], tags: [] }
    const path = 'GET /api/public/v2/prompts/whole'
    project.local.respond(path, {
      status: 200,
      body: { ...answer, prompt: 'Be kind. {{x}}', resolutionGraph: { a: 1 } },
    })
    project.local.respond(path, {
      status: 200,
      body: { ...answer, prompt: '@@@part@@@ {{x}}', resolutionGraph: { a: 1 } },
    })
    expect((await project.lines(['pull'])).lines[1]).toBe(
      'whole refers to other prompts, which only the service resolves: its file is not used as a fallback',
    )
    expect(project.files()['whole.md']).toContain('\n---\n@@@part@@@ {{x}}\n')
    expect(project.local.calls().at(-1)).toMatchObject({ query: expect.objectContaining({ resolve: 'false' }) })
    const script = "import { prompts } from './prompts/svc-prompts.js'; console.log(Object.keys(prompts).length)"
    expect((await project.node(['--input-type=module', '-e', script])).stdout).toBe('0\n')
  })
})
