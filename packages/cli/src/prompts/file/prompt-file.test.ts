import { describe, expect, it } from 'vitest'
import { type Content, hashOf, type Prompt } from '../prompt.ts'
import { formatPrompt, isPromptFile, parsePrompt } from './prompt-file.ts'

const bytes = (text: string) => new TextEncoder().encode(text)
const text = (prompt: string, more: Partial<Prompt> = {}): Prompt => ({
  name: 'movie-critic',
  labels: [],
  content: { type: 'text', prompt, config: {} },
  ...more,
})
const chat = (...prompt: Extract<Content, { type: 'chat' }>['prompt']): Prompt => ({
  name: 'guide',
  labels: ['production', 'staging'],
  content: { type: 'chat', prompt, config: { model: 'm', temperature: 0.2 } },
})
const pathOf = ({ content }: Prompt) => (content.type === 'text' ? 'a.md' : 'a.yaml')
const again = (prompt: Prompt, change = (file: string) => file) =>
  parsePrompt(bytes(change(formatPrompt(prompt))), pathOf(prompt)).prompt

describe('the file of a prompt', () => {
  it('holds a text prompt as plain text', () => {
    const content = {
      type: 'text',
      prompt: 'Judge {{movie}}.\n---\nBriefly.',
      config: { model: 'm', stop: ['a', 1] },
    } as const
    expect(formatPrompt({ name: 'movie-critic', labels: ['production'], content })).toBe(
      [
        '---',
        'name: movie-critic',
        'type: text',
        'labels:',
        '  - production',
        'config:',
        '  model: m',
        '  stop:',
        '    - a',
        '    - 1',
        '---',
        'Judge {{movie}}.',
        '---',
        'Briefly.',
        '',
      ].join('\n'),
    )
  })

  it('holds a chat prompt as readable YAML', () => {
    const prompt = chat(
      { role: 'system', content: 'You know {{city}}.\n\n# Rules\n- short' },
      { type: 'placeholder', name: 'history' },
      { role: 'user', content: '{{question}}', name: 'ada' },
      { role: 'assistant', content: '' },
    )
    expect(formatPrompt(prompt)).toBe(
      [
        'name: guide',
        'type: chat',
        'labels:',
        '  - production',
        '  - staging',
        'config:',
        '  model: m',
        '  temperature: 0.2',
        'messages:',
        '  - role: system',
        '    content: |-',
        '      You know {{city}}.',
        '',
        '      # Rules',
        '      - short',
        '  - placeholder: history',
        '  - role: user',
        '    content: |-',
        '      {{question}}',
        '    name: ada',
        '  - role: assistant',
        '    content: ""',
        '',
      ].join('\n'),
    )
    expect(again(prompt)).toEqual(prompt)
  })

  const hard = [
    ...[
      '',
      ' ',
      '\n',
      '\n\n',
      '---',
      '---\n',
      '\n---\n---\nx',
      'name: x',
      '# a\n#b',
      '- a',
      '{{x}}',
      '{"a": 1}',
      '~',
      'null',
    ],
    ...[
      'yes',
      '1',
      '1e3',
      '0x1',
      '2026-01-01',
      '|-',
      '>',
      '%',
      '@a',
      '`a`',
      "'",
      '"',
      '\\n',
      '"""',
      ': ',
      ' #',
      'a: b # c',
    ],
    ...[
      'a \nb\t\n\tc ',
      ' lead',
      'tail ',
      'tail\n',
      'tail\n\n',
      '\n lead\n',
      '   \n  \n x',
      'x\n   \n',
      '\ta',
      'a\n\t\n',
    ],
    ...[
      'a\r\nb',
      '\r',
      'a\rb\n',
      '\0',
      '\x1b[1m',
      '\x7f',
      '\x85',
      '\u2028',
      '\u2029',
      '\ufeff',
      '\ufeffa',
      'é',
      'e\u0301',
      '🦆',
    ],
    ...[
      '\ud800',
      'a\udc00b',
      'x'.repeat(500),
      `${'long '.repeat(60)}\n${'word '.repeat(60)}`,
      '<<: *a',
      '&a b',
      '!!str x',
    ],
  ]

  it.each(hard.map((each) => [JSON.stringify(each).slice(0, 40), each]))('keeps %s unchanged', (_, each) => {
    for (const prompt of [
      text(each),
      text('x', { name: each || 'x', labels: [each || 'x'] }),
      text('x', { content: { type: 'text', prompt: 'x', config: { [each]: each, list: [each, { [each]: [each] }] } } }),
      chat(
        { role: each, content: each },
        { type: 'placeholder', name: each || 'x' },
        { role: 'user', content: `a\n${each}` },
      ),
      chat({ role: 'user', content: `${each}b`, more: { [each]: each } }),
    ]) {
      expect(again(prompt)).toEqual(prompt)
      // As Git hands it out on Windows, and as some editors save it.
      expect(again(prompt, (file) => file.replaceAll('\n', '\r\n'))).toEqual(prompt)
      expect(again(prompt, (file) => `\ufeff${file}`)).toEqual(prompt)
    }
  })

  it('keeps random texts unchanged', () => {
    const parts = [
      'a',
      ' ',
      '\n',
      '\t',
      '-',
      '#',
      ':',
      '{',
      '}',
      '"',
      "'",
      '\\',
      '|',
      '>',
      '---\n',
      '\r',
      '\ufeff',
      '🦆',
      '!',
      '&',
      '*',
    ]
    let state = 1
    const random = (below: number) => {
      state = (state * 48_271) % 2_147_483_647
      return state % below
    }
    for (let round = 0; round < 300; round += 1) {
      const some = () => Array.from({ length: random(12) }, () => parts[random(parts.length)]).join('')
      const config = { [some()]: some(), n: random(9) / 7 }
      const [one, two] = [some(), some()]
      for (const prompt of [
        text(one, { name: `${two}x`, content: { type: 'text', prompt: one, config } }),
        chat({ role: two, content: one }, { role: 'user', content: two }),
      ]) {
        expect(again(prompt)).toEqual(prompt)
      }
    }
  })

  it.each([
    [null, {}],
    [7, 7],
    ['x', 'x'],
    [[], []],
    [
      { a: null, b: -0.5e-7, c: [[]], d: {} },
      { a: null, b: -0.5e-7, c: [[]], d: {} },
    ],
    [{}, {}],
  ])('keeps the config %j', (config, expected) => {
    const prompt = text('x', { content: { type: 'text', prompt: 'x', config } })
    expect(again(prompt).content.config).toEqual(expected)
  })

  it('may end without a line break, as some editors save it', () => {
    expect(again(text('Judge.'), (file) => file.trimEnd()).content.prompt).toBe('Judge.')
  })

  it('is not a README', () => {
    const paths = ['a.md', 'b/c.yaml', 'd.yml', 'README.md', 'b/readme.md', 'svc-prompts.ts', 'prompts.lock.json']
    expect(paths.filter(isPromptFile)).toEqual(['a.md', 'b/c.yaml', 'd.yml'])
  })
})

describe('a mistake in a prompt file is reported with line and column:', () => {
  it.each([
    ['a.md', 'Judge.', '1:1: expected a line ---, then name: …, then a line ---, then the text'],
    ['a.md', '---\nname: a\n', '1:1: expected a line ---, then name: …, then a line ---, then the text'],
    ['a.md', '---\ntype: text\n---\nx', '2:1: no name: expected name: and the name that the prompt has in the service'],
    ['a.md', '---\n---\nx', '2:1: expected fields, as in name: movie-critic'],
    ['a.md', '---\nname: 5\n---\nx', '2:7: name: expected a string in quotes'],
    ['a.md', '---\nname: ""\n---\nx', '2:7: name: expected a string that is not empty'],
    [
      'a.md',
      '---\nname: a\nlables: [b]\n---\nx',
      '3:1: unknown field lables: expected name, type, labels, config, prompt',
    ],
    ['a.md', '---\nname: a\nlabels: b\n---\nx', '3:9: labels: expected a list'],
    ['a.md', '---\nname: a\nlabels: [b, latest]\n---\n', '3:13: the label latest always belongs to the newest version'],
    [
      'a.md',
      '---\nname: a\ntype: chat\n---\nx',
      '3:7: type: expected text: a text prompt is a .md file, a chat prompt a .yaml file',
    ],
    ['a.md', '---\nname: a\nname: b\n---\nx', '3:1: Map keys must be unique'],
    ['a.md', '---\nname: "a\n---\nx', '3:1: Missing closing "quote'],
    ['a.md', '---\nname: a\nconfig: { a: .inf }\n---\nx', '3:14: expected a value that JSON can represent'],
    ['a.md', '---\nname: a\nprompt: x\n---\ny', '3:9: the text is both here and below the second line ---: remove one'],
    ['a.yaml', 'name: a\n', '1:1: no messages: expected messages: with a list of - role: and content:'],
    ['a.yaml', '- a\n', '1:1: expected fields, as in name: movie-critic'],
    ['a.yaml', '', '1:1: expected fields, as in name: movie-critic'],
    ['a.yaml', 'name: a\nmessages: x\n', '2:11: messages: expected a list'],
    [
      'a.yaml',
      'name: a\nmessages:\n  - x\n',
      '3:5: expected a message (role: and content:) or placeholder: and its name',
    ],
    ['a.yaml', 'name: a\nmessages:\n  - content: x\n', '3:5: a message needs a role: system, user, assistant'],
    ['a.yaml', 'name: a\nmessages:\n  - role: user\n', '3:5: a message needs a content'],
    ['a.yaml', 'name: a\nmessages:\n  - role: user\n    content: 5\n', '4:14: content: expected a string in quotes'],
    ['a.yaml', 'name: a\nmessages:\n  - role: user\n    content:\n', '4:13: content: expected a string'],
    [
      'a.yaml',
      'name: a\nmessages:\n  - role: user\n    content: {{x}}\n',
      '4:15: expected a name before the colon: text that starts with { needs quotes or a block |-',
    ],
    [
      'a.yaml',
      'name: a\nmessages:\n  - role: user\n    content: {x}\n',
      '4:14: content: expected a string: text that starts with { needs quotes or a block |-',
    ],
    ['a.yaml', 'name: a\nmessages:\n  - placeholder: ""\n', '3:18: placeholder: expected a name'],
    [
      'a.yaml',
      'name: a\nmessages:\n  - placeholder: h\n    content: x\n',
      '4:5: unknown field content: expected placeholder',
    ],
  ])('%s %j', (path, source, message) => {
    expect(() => parsePrompt(bytes(source), path)).toThrow(`${path}:${message}`)
  })

  it.each([
    [
      'an alias bomb',
      `${[...'bcdefghij'].reduce((yaml, name, at) => `${yaml}  ${name}: &${name} [${`*${'abcdefghij'[at]},`.repeat(9)}]\n`, 'name: a\nconfig:\n  a: &a [x]\n')}messages: []\n`,
    ],
    ['many levels', `name: a\nmessages: []\nconfig: ${'['.repeat(20_000)}${']'.repeat(20_000)}`],
    ['many levels of maps', `name: a\nmessages: []\nconfig: ${'{a: '.repeat(20_000)}1${'}'.repeat(20_000)}`],
    ['many levels of lists', `name: a\nmessages:\n${'- '.repeat(20_000)}a`],
    ['a loop', 'name: a\nmessages: []\nconfig: &a\n  b: *a\n'],
    ['512 kB of YAML', `name: a\nmessages: []\n#${' '.repeat(524_288)}`],
  ])('%s', (_, yaml) => {
    expect(() => hashOf(parsePrompt(new TextEncoder().encode(yaml), 'a.yaml').prompt.content)).toThrow(
      /^a\.yaml:\d+:\d+: /,
    )
  })

  it('a file that is not in UTF-8', () => {
    expect(() => parsePrompt(Uint8Array.of(0x2d, 0xff), 'a.md')).toThrow('a.md:1:1: the file is not in UTF-8')
  })

  it('on one line, whatever a field is called', () => {
    const source = 'name: a\n"x\\nb.yaml:1:1: fine": 1\nmessages: []\n'
    expect(() => parsePrompt(bytes(source), 'a.yaml')).toThrow(/^a\.yaml:2:1: unknown field x b\.yaml:1:1: fine: .*$/)
  })

  it('in a text prompt and in a chat message', () => {
    const source = '---\nname: a\n---\nJudge\n  {{#movie\n'
    expect(parsePrompt(bytes(source), 'a.md').mistakeIn(0, 8, 'here').message).toBe('a.md:5:3: here')
    const above = '---\nname: a\nprompt: "a\\r{{#movie"\n---\n'
    expect(parsePrompt(bytes(above), 'a.md').mistakeIn(0, 2, 'here').message).toBe('a.md:3:9: here')
    const messages =
      'name: a\nmessages:\n  - placeholder: h\n  - role: user\n    content: |-\n      Hello\n\n        {{x\n'
    expect(parsePrompt(bytes(messages), 'a.yaml').mistakeIn(1, 9, 'here').message).toBe('a.yaml:8:9: here')
    const quoted = 'name: a\nmessages:\n  - role: user\n    content: "a {{x"\n'
    expect(parsePrompt(bytes(quoted), 'a.yaml').mistakeIn(0, 2, 'here').message).toBe('a.yaml:4:14: here')
  })
})
