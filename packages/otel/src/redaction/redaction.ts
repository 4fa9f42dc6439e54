import type { Attributes } from '@opentelemetry/api'
import * as GEN_AI from '@svc/core/attributes/gen-ai'
import * as GENERAL from '@svc/core/attributes/general'
import * as ATTRIBUTE from '@svc/core/attributes/service'
import { LONGEST, redactKeys } from '@svc/core/foreign-text'
import { FAILED_TO_SERIALIZE, fieldsOf, isFields, valueAt } from '@svc/core/json'
import { log } from '@svc/core/log'
import { ON_SERVER } from '@svc/core/on-server'
import { DEEPEST } from '../export/otlp/value.ts'
import type { Step } from '../pipeline.ts'
import type { ReadableSpan, Resource } from '../sdk.ts'
import { type Replacements, replaced, withoutRaw } from '../span-view.ts'
import { type Finder, finder, whole } from './occurrence.ts'
import type { RedactionOptions } from './options.ts'
import { type Rule, redactText } from './redact-text.ts'
import { findSecrets } from './secrets.ts'

export const SECRETS: Rule = { kind: 'secret', find: findSecrets, readsEscapes: true }

/** Returns what hides personal data; where that has to be loaded first, as a promise. */
export type LoadPersonal = (asked: ReadonlySet<string>) => readonly Rule[] | Promise<readonly Rule[]>

/** Who and what a trace is about: a mark would tear apart what belongs together. */
const KEPT: ReadonlySet<string> = new Set([
  ATTRIBUTE.TRACE_USER_ID,
  ATTRIBUTE.TRACE_SESSION_ID,
  ATTRIBUTE.TRACE_TAGS,
  ATTRIBUTE.TRACE_COMPAT_USER_ID,
  ATTRIBUTE.TRACE_COMPAT_SESSION_ID,
  ATTRIBUTE.COMPAT_TAGS,
  GEN_AI.CONVERSATION_ID,
])

/** Attributes with the message of an error. */
const MESSAGES: ReadonlySet<string> = new Set([
  ATTRIBUTE.OBSERVATION_STATUS_MESSAGE,
  GENERAL.ERROR_MESSAGE,
  GENERAL.EXCEPTION_MESSAGE,
  GENERAL.EXCEPTION_STACKTRACE,
])

/** Attributes whose value may be a secret by its name, and few others: their texts may be long. */
const SECRET_NAME = /(?:key|token|secret|password|passwd|passphrase|authorization)$/i

/** What is counted is less than this, and stays a number: tokens, bytes, milliseconds. */
const MOST_COUNTED = 1e8

/**
 * Hides secrets and personal data in all texts of a span: name, status, attributes, events, links and resource, whose
 * command line may have a key in it. It does so in a view of the span, at once. Users, sessions and tags stay. Keys in the
 * message of an error are hidden whatever was asked for.
 */
export class Redaction {
  /** By what they were asked for with, because the same options may come again. */
  readonly #asked = new Map<string, Rule>()
  #rules: readonly Rule[] = []
  readonly #personal = new Set<string>()
  #lastMessage: { readonly text: string; readonly hidden: string } | undefined
  /** Those of spans, with what stands for them: batches are made of spans with the same one. */
  #resources = new WeakMap<Resource, Resource>()

  readonly #load: LoadPersonal
  /** Until what was asked for is there. Rejects if it cannot be loaded: no span may go without. */
  #loading: Promise<void> | undefined

  constructor(options: RedactionOptions, load: LoadPersonal) {
    this.#load = load
    this.add(options)
  }

  /** Hides more, in spans that end from now on. */
  add({ redact = ['none'], redactPatterns }: RedactionOptions): void {
    if (!redact.includes('none')) {
      this.#ask(SECRETS)
      for (const name of redact) if (name !== 'secrets') this.#personal.add(name)
    }
    if (this.#personal.size > 0) {
      const use = (rules: readonly Rule[]) => {
        for (const rule of rules) this.#ask(rule)
      }
      const loaded = this.#load(this.#personal)
      if (loaded instanceof Promise) this.#wait(loaded.then(use))
      else use(loaded)
    }
    for (const [kind, pattern] of Object.entries(redactPatterns ?? {})) {
      if (pattern instanceof RegExp) this.#ask({ kind, find: finderOf(pattern) }, `${kind} ${pattern}`)
      else log.once('warn', `redactPatterns.${kind} is ignored: expected a RegExp.`)
    }
  }

  readonly #ask = (rule: Rule, name: unknown = rule.kind): void => {
    this.#asked.set(String(name), rule)
    this.#rules = [...this.#asked.values()]
    this.#resources = new WeakMap()
    this.#lastMessage = undefined
  }

  #wait(loading: Promise<void>): void {
    const all = Promise.all([this.#loading, loading]).then(() => {
      if (this.#loading === all) this.#loading = undefined
    })
    this.#loading = all
    // Each span that waits for it tells.
    all.catch(() => {})
  }

  readonly step: Step = (span) => this.#loading?.then(() => this.#hidden(span)) ?? this.#hidden(span)

  #hidden(span: ReadableSpan): ReadableSpan {
    return replaced(span, this.#replacements)
  }

  readonly #replacements: Replacements = {
    name: (name) => this.#text(name),
    message: (text) => this.#message(text),
    attributes: (attributes) => this.#attributes(attributes),
    resource: (resource) => this.#resource(resource),
  }

  #resource(resource: Resource): Resource {
    const known = this.#resources.get(resource)
    if (known) return known
    const hide = () => this.#attributes(resource.attributes)
    const isSame = !resource.asyncAttributesPending && hide() === resource.attributes
    // That of the edge is ours, with all of its attributes.
    const view = () =>
      ON_SERVER ? viewOf(resource, hide, (merged) => this.#resource(merged)) : { ...resource, attributes: hide() }
    const shown = isSame ? resource : view()
    this.#resources.set(resource, shown)
    return shown
  }

  /** Returns the same object if nothing is hidden. */
  #attributes(attributes: Attributes): Attributes {
    let changed = attributes
    for (const key of Object.keys(attributes)) {
      if (KEPT.has(key)) continue
      const value = valueAt(attributes, key)
      const isMessage = MESSAGES.has(key) && typeof value === 'string'
      const redacted = isMessage ? this.#message(value) : this.#attribute(key, value)
      if (Object.is(redacted, value)) continue
      // A getter may throw.
      if (changed === attributes) changed = (fieldsOf(attributes) ?? {}) as Attributes
      changed[key] = redacted as Attributes[string]
    }
    return changed === attributes ? attributes : withoutRaw(changed)
  }

  /** What cannot be searched to its end, as it has none or throws, could not be sent either. */
  #attribute(key: string, value: unknown): unknown {
    if (this.#rules.length === 0) return value
    try {
      return this.#value(value, 0, SECRET_NAME.test(key) ? key : '')
    } catch {
      return FAILED_TO_SERIALIZE
    }
  }

  /** @param name of a field, or a flag of a command before its value: by it, a text may be a secret */
  #value(value: unknown, depth = 0, name = ''): unknown {
    if (depth > DEEPEST) throw new RangeError('too deep')
    if (typeof value === 'string') return name ? named(name, value, this.#text) : this.#text(value)
    if (typeof value === 'number') return Math.abs(value) < MOST_COUNTED ? value : this.#number(value)
    if (Array.isArray(value)) {
      const all = value.map((each, at) => this.#value(each, depth + 1, (ON_SERVER && flagIn(value[at - 1])) || name))
      return all.some((each, at) => !Object.is(each, value[at])) ? all : value
    }
    // Since its version 3, OpenTelemetry takes objects and bytes as well. A span of the edge does not.
    if (!ON_SERVER || !isFields(value)) return value
    if (value instanceof Uint8Array) return this.#bytes(value)
    const fields = Object.keys(value).map((key) => [key, this.#value(value[key], depth + 1, key)] as const)
    return fields.some(([key, each]) => !Object.is(each, value[key])) ? Object.fromEntries(fields) : value
  }

  /** As in JSON, it becomes a text where it is hidden. */
  #number(value: number): unknown {
    const hidden = this.#text(String(value))
    return hidden === String(value) ? value : hidden
  }

  /** Where something is hidden in binary data, they are not valid any more. */
  #bytes(bytes: Uint8Array): Uint8Array {
    const text = new TextDecoder().decode(bytes)
    const hidden = this.#text(text)
    return hidden === text ? bytes : new TextEncoder().encode(hidden)
  }

  /**
   * Without the keys that errors quote, and no longer than 64 KiB: marks are longer than most of what they hide. The library
   * or framework that wrote it may not know the key, and repeats what a client of the application sent.
   */
  #message(text: string): string {
    // A failed span says the same in up to four places.
    if (this.#lastMessage?.text !== text)
      this.#lastMessage = { text, hidden: this.#text(redactKeys(text)).slice(0, LONGEST) }
    return this.#lastMessage.hidden
  }

  readonly #text = (text: string): string => redactText(text, this.#rules, reportSecret)
}

/** Hides in a text what is a secret by its name. JSON has names itself, and its form is to be seen. */
function named(name: string, text: string, hide: (text: string) => string): string {
  if (/^\s*[[{]/.test(text)) return hide(text)
  const before = `${name}=`
  const hidden = hide(before + text)
  return hidden.startsWith(before) ? hidden.slice(before.length) : hide(text)
}

/** Returns the name of a flag whose value is the next word of a command: `--api-key`. */
const flagIn = (word: unknown): string => (typeof word === 'string' && /^--?([\w-]{1,40})$/.exec(word)?.[1]) || ''

/** A resource with other attributes. Some of them may come later: they are looked at each time. */
function viewOf(resource: Resource, attributes: () => Attributes, hidden: (resource: Resource) => Resource): Resource {
  return {
    get attributes() {
      return attributes()
    },
    get asyncAttributesPending() {
      return resource.asyncAttributesPending === true
    },
    ...(resource.schemaUrl !== undefined && { schemaUrl: resource.schemaUrl }),
    waitForAsyncAttributes: async () => resource.waitForAsyncAttributes?.(),
    merge: (other) => hidden(resource.merge(other)),
    getRawAttributes: () => Object.entries(attributes()),
  }
}

function finderOf({ source, flags }: RegExp): Finder {
  // A sticky one would find nothing behind the first place without a match.
  return finder([[new RegExp(source, `${flags.replace(/[gy]/g, '')}g`), whole]])
}

function reportSecret(kind: string): void {
  if (kind === 'secret') log.once('warn', FOUND)
}

const FOUND =
  'a secret was in what is recorded, and is replaced by [secret:…]. SVC_REDACT=none leaves secrets as they are.'
