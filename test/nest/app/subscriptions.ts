import 'reflect-metadata'
import { EventEmitter, on } from 'node:events'
import type { AddressInfo } from 'node:net'
import { ApolloDriver } from '@nestjs/apollo'
import { Module } from '@nestjs/common'
import { NestFactory } from '@nestjs/core'
import {
  Args,
  Field,
  GraphQLModule,
  Mutation,
  ObjectType,
  Parent,
  Query,
  ResolveField,
  Resolver,
  Subscription,
} from '@nestjs/graphql'
import { MercuriusDriver } from '@nestjs/mercurius'
import { ExpressAdapter } from '@nestjs/platform-express'
import { FastifyAdapter } from '@nestjs/platform-fastify'
import { SkipSvc, SvcModule } from '@svc/nestjs'
import { work } from './work.js'

// Subscriptions of GraphQL: what one user posts is heard by all, and a countdown makes events by itself.
const isFastify = process.env.ADAPTER === 'fastify'
const posted = new EventEmitter()

@ObjectType()
class Note {
  @Field(() => String)
  text!: string
}

let subscribed = 0

async function* notes(): AsyncIterable<object> {
  const events = on(posted, 'note')
  subscribed += 1
  for await (const [note] of events) yield { note, skipped: note }
}

@Resolver(() => Note)
class NotesResolver {
  @Subscription(() => Note)
  note(): AsyncIterable<object> {
    return notes()
  }

  @Subscription(() => Note, {
    filter: ({ note }: { note: Note }) => note.text.startsWith('loud'),
    resolve: ({ note }: { note: Note }) => work('resolve', () => note),
  })
  async loud(): Promise<AsyncIterable<object>> {
    await work('subscribe', async () => true)
    return notes()
  }

  @Subscription(() => Note)
  async *countdown(@Args('from', { type: () => String }) from: string): AsyncGenerator<object> {
    for (let at = Number(from); at > 0; at -= 1) {
      await work(`count ${at}`, async () => at)
      yield { countdown: { text: String(at) } }
    }
    throw new Error('lift-off failed')
  }

  @Subscription(() => Note)
  @SkipSvc()
  skipped(): AsyncIterable<object> {
    return notes()
  }

  @ResolveField(() => String)
  mood(@Parent() { text }: Note): Promise<string> {
    return work('field', async () => `${text} in blue`)
  }

  @Mutation(() => Boolean)
  post(@Args('text', { type: () => String }) text: string): boolean {
    return posted.emit('note', { text })
  }

  @Query(() => Number)
  subscribed(): number {
    return subscribed
  }
}

/** Where a connection says whose it is: Apollo has its parameters, Mercurius makes headers of them. */
interface Connection {
  readonly connectionParams?: Readonly<Record<string, string>>
  readonly headers?: Readonly<Record<string, string>>
}

const claim =
  (name: string) =>
  ({ connectionParams, headers }: Connection) =>
    (connectionParams ?? headers)?.[name]

@Module({
  imports: [
    SvcModule.forRoot<Connection>({ user: claim('x-user'), session: claim('x-session'), captureOutput: true }),
    GraphQLModule.forRoot(
      isFastify
        ? { driver: MercuriusDriver, autoSchemaFile: true, subscription: true }
        : { driver: ApolloDriver, autoSchemaFile: true, subscriptions: { 'graphql-ws': true } },
    ),
  ],
  providers: [NotesResolver],
})
class NotesModule {}

const app = await NestFactory.create(NotesModule, isFastify ? new FastifyAdapter() : new ExpressAdapter(), {
  logger: ['error', 'warn'],
})
await app.listen(0, '127.0.0.1')
console.log(`listening ${JSON.stringify({ http: (app.getHttpServer().address() as AddressInfo).port })}`)
