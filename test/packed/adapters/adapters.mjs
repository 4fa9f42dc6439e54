// Functions of AWS Lambda, each an application behind an adapter.
import 'reflect-metadata'
import serverlessExpress from '@codegenie/serverless-express'
import awsLambdaFastify from '@fastify/aws-lambda'
import { Controller, Get, Module, Req } from '@nestjs/common'
import { NestFactory } from '@nestjs/core'
import { ExpressAdapter } from '@nestjs/platform-express'
import { FastifyAdapter } from '@nestjs/platform-fastify'
import { SvcModule, SvcService } from '@svc/nestjs'
import { propagateAttributes } from '@svc/tracing'
import express from 'express'
import fastify from 'fastify'
import OpenAI from 'openai'
import serverlessHttp from 'serverless-http'

const client = new OpenAI()
async function ask(content) {
  const messages = [{ role: 'user', content }]
  const { choices } = await client.chat.completions.create({ model: 'gpt-test', messages })
  return { answer: choices[0].message.content }
}

const ofExpress = express()
ofExpress.get('/users/:id', async ({ params: { id } }, response) => {
  response.json(await propagateAttributes({ userId: id }, () => ask(id)))
})

const ofFastify = fastify()
ofFastify.get('/users/:id', ({ params: { id } }) => propagateAttributes({ userId: id }, () => ask(id)))

class Users {
  answer({ params: { id } }) {
    return ask(id)
  }
}
Reflect.decorate([Controller('users')], Users)
Req()(Users.prototype, 'answer', 0)
const answer = Object.getOwnPropertyDescriptor(Users.prototype, 'answer')
Object.defineProperty(
  Users.prototype,
  'answer',
  Reflect.decorate([Get(':id')], Users.prototype, 'answer', answer) ?? answer,
)

let flush
async function nest(adapter) {
  class App {}
  const user = (request) => request.url.split('/').at(-1)
  Module({ imports: [SvcModule.forRoot({ user })], controllers: [Users] })(App)
  const app = await NestFactory.create(App, adapter, { logger: ['warn'] })
  await app.init()
  flush = () => app.get(SvcService).flush()
  return app.getHttpAdapter().getInstance()
}

export const serverless = serverlessHttp(ofExpress)
export const codegenie = serverlessExpress({ app: ofExpress })
export const injected = awsLambdaFastify(ofFastify)
let made
export const nested = async (event, context) => {
  made ??= serverlessExpress({ app: await nest(new ExpressAdapter()) })
  return (await made)(event, context)
}
export const flushed = async (event, context) => {
  const response = await nested(event, context)
  await flush()
  return response
}
export const nestedFastify = async (event, context) => {
  made ??= nest(new FastifyAdapter()).then(async (app) => {
    await app.ready()
    return awsLambdaFastify(app)
  })
  return (await made)(event, context)
}
