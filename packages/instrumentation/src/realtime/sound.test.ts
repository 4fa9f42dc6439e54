import { expect, it } from 'vitest'
import { AudioMeter, readAudioFormat } from './sound.ts'

const second = Buffer.alloc(48_000).toString('base64')

it.each([
  ['pcm16', 1],
  ['g711_ulaw', 6],
  [{ type: 'audio/pcm', rate: 24_000 }, 1],
  [{ type: 'audio/pcmu' }, 6],
  ['audio/pcm;rate=16000', 1.5],
  ['opus', undefined],
  [undefined, undefined],
])('48,000 bytes of audio in the format %j are %s seconds', (format, seconds) => {
  const sound = new AudioMeter()
  sound.add(second)
  expect(JSON.parse(sound.take(format) ?? '')).toMatchObject(seconds === undefined ? { bytes: 48_000 } : { seconds })
  expect(sound.take(format)).toBe(undefined)
})

it('base64 audio of any length is counted in decoded bytes', () => {
  for (const length of [0, 1, 2, 3, 4]) {
    const sound = new AudioMeter()
    sound.add(Buffer.alloc(length).toString('base64'))
    expect(sound.take('opus')).toBe(length === 0 ? undefined : `{"bytes":${length},"format":"opus"}`)
  }
})

it('cleared audio and values that are not base64 are not counted', () => {
  const sound = new AudioMeter()
  sound.add(second)
  sound.clear()
  sound.add(undefined)
  expect(sound.take('pcm16')).toBe(undefined)
})

it('realtime sessions of both API versions have audio formats', () => {
  expect(readAudioFormat({ audio: { input: { format: { type: 'audio/pcmu' } } } }, 'input')).toEqual({
    type: 'audio/pcmu',
  })
  expect(readAudioFormat({ output_audio_format: 'pcm16' }, 'output')).toBe('pcm16')
  expect(readAudioFormat({}, 'input')).toBe(undefined)
})
