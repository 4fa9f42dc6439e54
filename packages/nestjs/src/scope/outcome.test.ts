import { BadRequestException, HttpException } from '@nestjs/common'
import { describe, expect, it } from 'vitest'
import { type Ended, httpOutcome, messageOutcome } from './outcome.ts'

const end = (ended: Partial<Ended>) =>
  httpOutcome({ status: 200, complete: true, error: undefined, midway: false, ...ended })

describe('the outcome of an HTTP request', () => {
  it.each([200, 204, 301, 304])('has no level and no message with status %d', (status) => {
    expect(end({ status })).toEqual({})
  })

  it('is not an error if an exception redirects, or a filter responds', () => {
    expect(end({ status: 302, error: new HttpException('moved', 302) })).toEqual({})
    expect(end({ status: 200, error: new Error('no model') })).toEqual({})
  })

  it('is not an error below 500, but has a message', () => {
    expect(end({ status: 400, error: new BadRequestException('no question') })).toEqual({
      statusMessage: 'no question',
    })
    expect(end({ status: 404 })).toEqual({ statusMessage: 'HTTP 404' })
  })

  it('has the bounded messages of a ValidationPipe', () => {
    const reasons = ['question should not be empty', 'temperature must be a number']
    expect(end({ status: 400, error: new BadRequestException(reasons) })).toEqual({ statusMessage: reasons.join('; ') })
    const many = Array.from({ length: 10_000 }, (_, index) => `items.${index} must be a string`)
    expect(end({ status: 400, error: new BadRequestException(many) }).statusMessage).toHaveLength(1_000)
  })

  it('is an error from 500 on, with the message of the exception', () => {
    expect(end({ status: 500, error: new Error('no model') })).toEqual({ level: 'ERROR', statusMessage: 'no model' })
    expect(end({ status: 503 })).toEqual({ level: 'ERROR', statusMessage: 'HTTP 503' })
    expect(end({ status: 500, error: 'just text' })).toEqual({ level: 'ERROR', statusMessage: 'just text' })
  })

  it('is an error if an exception is thrown during a response, whatever its status', () => {
    const error = new Error('the stream broke')
    const outcome = { level: 'ERROR', statusMessage: 'the stream broke' }
    expect(end({ error, midway: true })).toEqual(outcome)
    expect(end({ error, midway: true, complete: false })).toEqual(outcome)
    const unknown = { level: 'ERROR', statusMessage: 'Unknown error' }
    expect(end({ error: undefined, midway: true, complete: false })).toEqual(unknown)
  })

  it('is a warning if the client disconnects', () => {
    const outcome = { level: 'WARNING', statusMessage: 'the client went away before the response was sent' }
    expect(end({ complete: false })).toEqual(outcome)
    expect(end({ complete: false, status: undefined })).toEqual(outcome)
  })
})

describe('the outcome of a message', () => {
  it('is an error with its message', () => {
    expect(messageOutcome(new Error('no model'))).toEqual({ level: 'ERROR', statusMessage: 'no model' })
    expect(messageOutcome('thrown as text')).toEqual({ level: 'ERROR', statusMessage: 'thrown as text' })
    for (const nothing of [null, undefined]) {
      expect(messageOutcome(nothing)).toEqual({ level: 'ERROR', statusMessage: 'Unknown error' })
    }
  })

  it('is not an error if an exception has a status below 500', () => {
    expect(messageOutcome(new BadRequestException('no question'))).toEqual({ statusMessage: 'no question' })
  })

  it('is an error if an exception has status 500', () => {
    expect(messageOutcome(new HttpException('no answer', 500))).toEqual({ level: 'ERROR', statusMessage: 'no answer' })
  })
})
