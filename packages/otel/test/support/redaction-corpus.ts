/**
 * Messages of eight languages, code, logs, base64 and JSON, with secrets and personal data planted in them. Made from a seed:
 * the same each time.
 */

export interface Planted {
  readonly kind: Kind
  readonly value: string
}

export interface Message {
  readonly text: string
  readonly planted: readonly Planted[]
}

export const KINDS = ['secret', 'email', 'phone', 'card', 'iban', 'ip'] as const
export type Kind = (typeof KINDS)[number]

/** Returns numbers from 0 to below 1 (mulberry32). */
function seeded(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b_79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

const LETTERS = 'abcdefghijklmnopqrstuvwxyz'
const DIGITS = '0123456789'
const WORD = `${LETTERS}${LETTERS.toUpperCase()}${DIGITS}`
const HEX = `${DIGITS}abcdef`

/** What makes all that is random. */
class Maker {
  readonly #next: () => number

  constructor(seed: number) {
    this.#next = seeded(seed)
  }

  below(most: number): number {
    return Math.floor(this.#next() * most)
  }

  one<Each>(list: readonly Each[]): Each {
    return list[this.below(list.length)] as Each
  }

  some(alphabet: string, length: number): string {
    return Array.from({ length }, () => alphabet[this.below(alphabet.length)]).join('')
  }

  /** Fills a form: # is a digit, ~ one from 2 to 9, {w9} nine characters of a key, {h9} of hexadecimal, {d9} digits. */
  filled(form: string): string {
    return form.replace(/\{(\w)(\d+)\}|#|~/g, (whole, kind: string, count: string) => {
      if (whole === '#') return this.some(DIGITS, 1)
      if (whole === '~') return this.some('23456789', 1)
      return this.some({ w: WORD, h: HEX, A: `${LETTERS.toUpperCase()}234567` }[kind] ?? DIGITS, Number(count))
    })
  }
}

const NAMES = [
  'ada',
  'bob.smith',
  'jürgen.müller',
  'maria+news',
  'x_y',
  'li-wei',
  'olga.petrova',
  'k',
  'info',
  "o'neil",
]
const HOSTS = [
  'example.com',
  'mail.example.co.uk',
  'post.example.de',
  '163.com',
  'firma-gmbh.de',
  'a.io',
  'correo.example.es',
]
const SECRETS = [
  ...[
    'sk-{w48}',
    'sk-proj-{w74}',
    'sk-ant-api03-{w90}',
    'sk-or-v1-{h64}',
    'sk_live_{w24}',
    'sk-svc-{h8}-{h4}-{h4}-{h4}-{h12}',
  ],
  ...[
    'ghp_{w36}',
    'github_pat_{w22}_{w59}',
    'glpat-{w20}',
    'xoxb-{d12}-{d12}-{w24}',
    'npm_{w36}',
    'hf_{w34}',
    'gsk_{w52}',
  ],
  ...[
    'AKIA{A16}',
    'AIza{w35}',
    'SG.{w22}.{w43}',
    'eyJ{w30}.eyJ{w80}.{w43}',
    '{d10}:AA{w33}',
    'ya29.{w60}',
    'dapi{h32}',
  ],
]
/** With what stands around the secret. */
const SECRETS_IN_PLACE = [
  ['postgres://app:', '{w16}', '@db.example.com:5432/shop'],
  ['https://deploy:', '{w20}', '@git.example.com/a.git'],
  ['Authorization: Bearer ', '{w40}', ''],
  ['authorization: Basic ', '{w27}1=', ''],
  ['-H "Authorization: Token ', '{h40}', '"'],
  ['API_KEY=', '{w31}7', ''],
  ['client_secret: "', '{w39}7', '"'],
] as const
const PRIVATE_KEY = '-----BEGIN PRIVATE KEY-----\n{w64}\n{w64}\n{w20}==\n-----END PRIVATE KEY-----'
/** As people of the eight languages and others write them. */
const PHONES = [
  ...[
    '+1 ~## ~##-####',
    '(~##) ~##-####',
    '~##-~##-####',
    '1-~##-~##-####',
    '+1~##~######',
    '~##.~##.####',
    '+44 20 79## ####',
  ],
  ...[
    '020 79## ####',
    '07### ######',
    '+49 170 #######',
    '0170 #######',
    '0171/#######',
    '030 #######',
    '+49 (0)30 ########',
  ],
  ...['+33 6 ## ## ## ##', '06 ## ## ## ##', '01.##.##.##.##', '07########', '+34 6## ### ###', '+34 6## ## ## ##'],
  ...[
    '+55 11 9####-####',
    '(11) 9####-####',
    '+55 (21) 9####-####',
    '+81 90-####-####',
    '090-####-####',
    '03-####-####',
  ],
  ...[
    '+86 138 #### ####',
    '138 #### ####',
    '+86139########',
    '+7 912 ###-##-##',
    '8 (912) ###-##-##',
    '+7 (495) ###-##-##',
  ],
  ...['+39 347 ### ####', '+91 98### #####', '0049 170 #######', '+82 10-####-####', '010-####-####'],
]
const CARDS = [
  '4###############',
  '51##############',
  '2221############',
  '34#############',
  '6011############',
  '3530############',
]
const IBANS = [
  ['DE', 18],
  ['FR', 23],
  ['GB', 18],
  ['ES', 20],
  ['NL', 14],
  ['CH', 17],
  ['IT', 23],
  ['BR', 25],
  ['NO', 11],
] as const

const MAKERS: Readonly<Record<Kind, (maker: Maker) => string>> = {
  secret: (maker) => maker.filled(maker.one([...SECRETS, ...SECRETS, PRIVATE_KEY])),
  email: (maker) => `${maker.one(NAMES)}${maker.below(90)}@${maker.one(HOSTS)}`,
  phone: (maker) => maker.filled(maker.one(PHONES)),
  card: (maker) => grouped(withLuhn(maker.filled(maker.one(CARDS))), maker.one(['', ' ', '-'])),
  iban: (maker) => {
    const [country, length] = maker.one(IBANS)
    const account =
      country === 'GB' || country === 'NL' ? `ABNA${maker.some(DIGITS, length - 4)}` : maker.some(DIGITS, length)
    const iban = country + ibanCheck(country, account) + account
    return maker.below(2) === 0 ? iban : iban.replace(/(.{4})(?=.)/g, '$1 ')
  },
  ip: (maker) =>
    maker.below(3) === 0
      ? maker.filled(
          maker.one(['2001:db8:{h4}:{h4}:{h4}:{h4}:{h4}:{h4}', '2a01:4f8:{h4}::{h2}', 'fe80::{h4}:{h4}:{h4}:{h4}']),
        )
      : [1 + maker.below(126), maker.below(256), maker.below(256), 10 + maker.below(246)].join('.'),
}

function withLuhn(number: string): string {
  const body = number.slice(0, -1)
  const sum = [...body].reverse().reduce((total, digit, at) => {
    const doubled = Number(digit) * (at % 2 === 0 ? 2 : 1)
    return total + (doubled > 9 ? doubled - 9 : doubled)
  }, 0)
  return body + ((10 - (sum % 10)) % 10)
}

function grouped(card: string, sign: string): string {
  return card.length === 15
    ? [card.slice(0, 4), card.slice(4, 10), card.slice(10)].join(sign)
    : card.replace(/(.{4})(?=.)/g, `$1${sign}`)
}

function ibanCheck(country: string, account: string): string {
  const digits = [...`${account}${country}00`].map((each) => Number.parseInt(each, 36)).join('')
  return String(98n - (BigInt(digits) % 97n)).padStart(2, '0')
}

/** Sentences of a language, and one around each kind of value. */
const LANGUAGES: readonly (readonly [before: string, behind: string])[] = [
  ['Hello, please have a look at this, I have waited since Monday: ', ', thanks in advance and best regards.'],
  ['Guten Tag, könnten Sie das bitte prüfen, meine Angaben lauten ', '. Vielen Dank und schöne Grüße aus Köln!'],
  ["Bonjour, je n'arrive pas à me connecter, voici mes coordonnées : ", ' ; merci beaucoup de votre réponse.'],
  ['Hola, ¿podrían ayudarme con mi pedido? Mis datos son ', ', muchas gracias y un saludo.'],
  ['Olá, não consigo concluir a compra, os meus dados são ', ', obrigado pela atenção.'],
  ['こんにちは。先日の注文についてお伺いします。連絡先は', 'です。よろしくお願いいたします。'],
  ['您好，我的订单还没有到，我的信息是', '，请尽快回复，谢谢。'],
  ['Здравствуйте, проверьте, пожалуйста, мой заказ, мои данные: ', ', заранее спасибо.'],
]

const CODE = [
  'export const total = (items: readonly Item[]) => items.reduce((sum, { price, count }) => sum + price * count, 0)',
  "import { z } from 'zod'\nconst Row = z.object({ id: z.string().uuid(), at: z.coerce.date(), password: z.string().min(8) })",
  'const token = await getToken(request.headers.authorization)\nif (!token) throw new Error("no token")',
  'class A extends B { #key = Symbol("key"); @Input() name!: string; get size() { return this.#key.description?.length ?? 0 } }',
  'for (let i = 0; i < 1024; i++) buffer[i] = (i * 2654435761) >>> 24; // 0x9e3779b1, 3.14159265358979, 1e-9, 1_000_000',
  "SELECT id, name FROM users WHERE created_at > '2024-01-15 10:20:30' AND id IN (1001, 1002, 1003) LIMIT 100 OFFSET 2000;",
  'npm i react@18.2.0 @types/node@22.10.1 lodash@4.17.21-beta.1; docker pull nginx:1.27.3; git clone git@github.com:acme/app.git',
  'std::vector<int> v; std::cout << v.size() << dead::beef(12) << "\\n"; auto x = a::b::c(0x1f);',
  '<img src="logo@2x.png" width="1280" height="720" style="margin: 10px 20px 30px 40px; color: #1a2b3c" class="sk-fading-circle">',
  'apiKey: process.env.OPENAI_API_KEY, secretKey: config.secrets.stripe.key2, password: hashedPassword, accessToken = session.token1',
]
const NUMBERS = [
  '~{d9}',
  '~{d12}',
  '1764{d9}',
  '0.{d16}',
  '-~{d2}.{d4}',
  '{d6}',
  '~{d7}',
  '{d4}-{d2}',
  '2024-1#-0# 1#:2#:3#.{d3}',
  '1#:2#:3#',
  '~{d2},{d3},{d3}',
  'v1.{d2}.{d3}',
  'version 12.{d1}.{d1}.{d1}',
  '{h8}-{h4}-4{h3}-a{h3}-{h12}',
  '{h40}',
  '{h64}',
  '{d2}%',
  '{d5} ms',
  '~{d2} {d3} {d3}',
  'Chrome/1##.0.####.0',
  '~### #### ###',
  '{d2}/{d2}/20##',
  'ISBN 978-3-16-{d6}-#',
  'order-{d8}',
  'T{d9}',
  '~{d18}',
  '~{d15}',
  '€{d2}.{d2}',
  '0x{h8}',
  '{h2}:{h2}:{h2}:{h2}:{h2}:{h2}',
]

/** Numbers and identifiers in each of them. */
export const VALUES_OF_TEXT = 8

/** What has nothing to hide: code, logs, numbers, base64 and JSON of them. */
export function harmless(seed: number, count: number): readonly string[] {
  const maker = new Maker(seed)
  return Array.from({ length: count }, (_, at) => {
    const numbers = Array.from({ length: VALUES_OF_TEXT }, () => maker.filled(maker.one(NUMBERS)))
    switch (at % 5) {
      case 0:
        return `${maker.one(CODE)}\n${maker.one(CODE)}`
      case 1:
        return `2024-11-2# 12:00:00.123 INFO [main-${maker.below(9)}] request ${numbers.join(' | ')} done in ${maker.below(999)} ms`
      case 2:
        return `data:image/png;base64,${maker.some(`${WORD}+/`, 400)} ${maker.some(`${WORD}+/`, 400)}==`
      case 3:
        return JSON.stringify({ numbers, code: maker.one(CODE), n: maker.below(1e9), f: maker.below(1e9) / 1e9 })
      default:
        return `${maker.one(LANGUAGES).join(numbers.join(', '))} ${maker.one(LANGUAGES).join('?')}`
    }
  })
}

/** @param count messages, each with one to three planted values */
export function messages(seed: number, count: number): readonly Message[] {
  const maker = new Maker(seed)
  return Array.from({ length: count }, () => {
    const planted: Planted[] = []
    const sentences = Array.from({ length: 1 + maker.below(3) }, () => {
      const [before, behind] = maker.one(LANGUAGES)
      const [kind, value, whole] = plantedBy(maker)
      planted.push({ kind, value })
      return before + whole + behind
    })
    return { text: inForm(maker, sentences), planted }
  })
}

function plantedBy(maker: Maker): readonly [Kind, value: string, whole: string] {
  const kind = maker.one(KINDS)
  if (kind === 'secret' && maker.below(3) === 0) {
    const [before, form, behind] = maker.one(SECRETS_IN_PLACE)
    const value = maker.filled(form)
    return [kind, value, before + value + behind]
  }
  const value = MAKERS[kind](maker)
  return [kind, value, value]
}

/** As text, a log, messages of JSON, the arguments of a tool in them, or with code. */
function inForm(maker: Maker, sentences: readonly string[]): string {
  const text = sentences.join('\n')
  const id = maker.below(1e9)
  switch (maker.below(5)) {
    case 0:
      return `2024-11-29 12:00:00 INFO [${id}] ${sentences.join(' | ')}`
    case 1:
      return JSON.stringify([{ role: 'user', content: text, id, at: 1.5 }])
    case 2:
      return JSON.stringify({ name: 'send', arguments: JSON.stringify({ text, id, mail: sentences[0] }) })
    case 3:
      return `${maker.one(CODE)}\n// ${sentences.join('\n// ')}`
    default:
      return text
  }
}
