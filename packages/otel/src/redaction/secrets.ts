import { type Finder, finder, type Occurrence, whole } from './occurrence.ts'

/** How keys of vendors begin. */
const VENDORS: readonly string[] = [
  // OpenAI, Anthropic, OpenRouter, Stripe, svc. Names of styles begin like this as well: see `isRandom`.
  'sk[-_]|rk_',
  'gh[oprsu]_|github_pat_|gl(?:pat|dt|rt|ptt|cbt|ft|soat)-|xox[a-z]-|xapp-|npm_|dckr_pat_|GOCSPX-',
  'gsk_|hf_|r8_|xai-|pplx-|nvapi-|tvly-|jina_|csk-|rpa_|fw_|tgp_v1_',
  'pul-|sbp_|whsec_|figd_|shp(?:at|ca|pa|ss)_|do[opr]_v1_|lin_api_|sntry[su]_|PMAK-|nfp_',
]
/** From the last sign of its beginning, which is found faster. */
const BY_PREFIX = new RegExp(`[-_](?<=(?<![\\w-])(${VENDORS.join('|')}))[\\w-]{12,}`, 'g')
/** AWS, Google, JSON Web Tokens, SendGrid, Databricks, Telegram. */
const BY_FORM: readonly RegExp[] = [
  /A(?<![\w-]A)(?:[KS]IA[A-Z\d]{16}(?!\w)|Iza[\w-]{30,})/g,
  /eyJ(?<![\w-]eyJ)[\w-]{8,}\.eyJ[\w-]{8,}\.[\w-]{8,}/g,
  /(?:ya29\.[\w-]|SG\.(?<![\w-]SG\.)[\w-]{16,}\.[\w-]|dapi[a-f\d]{16})[\w-]{15,}/g,
  /:AA(?<=(?<!\d)\d{8,10}:AA)[\w-]{30,}/g,
]
/** It does not end with half of an escape of JSON. */
const PRIVATE_KEY =
  /-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----(?:(?!-----)[\w\s\\+/=,:-]){40,20000}(?<![\s\\])(?:[\s\\]{0,40}-----END [A-Z ]{0,40}PRIVATE KEY-----)?/g
/** Up to the last @ before the host. */
const OF_URL = /:[\\/]{2,6}[^\s/:@?#"'<>\\]{0,64}:([^\s/?#"'<>,\\]{1,256})@/g
const OF_SCHEME = /\b[Bb](?:earer|EARER|asic|ASIC)\s{1,4}([\w.~+/=-]{16,})/g
/** What is a key by the name of its header, field, variable or parameter. From the sign behind it, which is found faster. */
const OF_NAME =
  /[:=](?<=(?:(?:api|access|secret|private|account|signing|encryption|auth)[-_ ]?key|(?:api|access|auth|bearer|id|refresh|session|bot|secret)[-_ ]?token|(?<![\w-])token|secret|password|passwd|passphrase|authorization)["'\\]{0,4}\s{0,4}[:=])\s{0,4}["'\\]{0,4}(?:(?:Bearer|Basic|Token|ApiKey)\s{1,4})?([^\s"'`\\&,;(){}[\]<>$]{8,})/gi
/** A property of an object: code that has the value elsewhere. */
const IS_CODE = /^[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+$|::/

/** Keys, tokens, private keys, passwords in addresses and values of Authorization headers. */
export const findSecrets: Finder = finder([
  [BY_PREFIX, keyOf],
  ...BY_FORM.map((form) => [form, whole] as const),
  [PRIVATE_KEY, whole],
  [OF_URL, (match) => groupOf(match, 1, isPassword)],
  [OF_SCHEME, (match) => groupOf(match)],
  [OF_NAME, (match) => groupOf(match)],
])

function keyOf(match: RegExpExecArray): Occurrence | undefined {
  const { 0: rest, 1: prefix = '', index } = match
  const value = prefix + rest.slice(1)
  return isRandom(value) ? { start: index + 1 - prefix.length, end: index + rest.length, value } : undefined
}

/** Names of styles, such as `sk-fading-circle`, are words. */
const isRandom = (key: string): boolean => /\d|[a-z][A-Z]/.test(key) && /[A-Za-z\d]{10}/.test(key)

/** The first group of a match. @param behind characters of the match after it */
function groupOf(match: RegExpExecArray, behind = 0, isOne = isValue): Occurrence | undefined {
  const { 0: whole, 1: value = '', index } = match
  const end = index + whole.length - behind
  return isOne(value) ? { start: end - value.length, end, value } : undefined
}

/** Something that stands for it, or a mark, is none. */
const isPassword = (value: string): boolean => !/^(?:[${<%]|\*+$|\[secret:)/.test(value)

/** A word is no key, and neither is what code reads it from. */
const isValue = (value: string): boolean => (/\d/.test(value) || value.endsWith('=')) && !IS_CODE.test(value)
