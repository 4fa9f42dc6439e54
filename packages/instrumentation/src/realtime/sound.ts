import { toMetadataText } from '@svc/core/json'
import { own } from '@svc/core/own'
import { asName, asNumber, asRecord, asString, type Fields } from '../gen-ai/read.ts'

/** Bytes per second of audio, by format. */
const PER_SECOND: Readonly<Record<string, number>> = {
  pcm16: 48_000,
  g711_ulaw: 8_000,
  g711_alaw: 8_000,
  'audio/pcmu': 8_000,
  'audio/pcma': 8_000,
}

/** Counts the audio of a session; the audio itself is not kept. */
export class AudioMeter {
  #bytes = 0

  /** @param base64 the next piece of audio */
  add(base64: unknown): void {
    const text = asString(base64)
    if (text) this.#bytes += Math.floor((text.length * 3) / 4) - (text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0)
  }

  clear(): void {
    this.#bytes = 0
  }

  /** Returns the amount of audio added since the last call, as metadata text; undefined if there was none. */
  take(format: unknown): string | undefined {
    const bytes = this.#bytes
    this.#bytes = 0
    if (bytes === 0) return undefined
    const { type = format, rate = readSampleRate(format) } = asRecord(format)
    const name = asName(type)
    const perSecond = (asNumber(rate) ?? 0) * 2 || own(PER_SECOND, name ?? '')
    const seconds = perSecond ? Math.round((bytes / perSecond) * 1_000) / 1_000 : undefined
    return toMetadataText({ bytes, seconds, format: name })
  }
}

/** Returns the audio format of one direction. Beta sessions store it in another field. */
export function readAudioFormat(session: Fields, direction: 'input' | 'output'): unknown {
  const { format } = asRecord(asRecord(session.audio)[direction])
  return format ?? session[`${direction}_audio_format`]
}

/** `audio/pcm;rate=16000` */
function readSampleRate(format: unknown): number | undefined {
  const [, rate] = /;\s*rate=(\d+)/.exec(asString(format) ?? '') ?? []
  return rate === undefined ? undefined : Number(rate)
}
