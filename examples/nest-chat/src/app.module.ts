import { ApolloDriver, type ApolloDriverConfig } from '@nestjs/apollo'
import { Module } from '@nestjs/common'
import { APP_GUARD } from '@nestjs/core'
import { GraphQLModule } from '@nestjs/graphql'
import { SvcModule } from '@svc/nestjs'
import { Assistant } from './assistant.js'
import { AuthGuard, type Authorized } from './auth.guard.js'
import { ChatController } from './chat.controller.js'
import { ConversationResolver } from './conversation.resolver.js'
import { Conversations } from './conversations.js'
import { SummaryWorker } from './summary.worker.js'

@Module({
  imports: [
    SvcModule.forRoot({
      user: (request: Authorized) => request.user?.name,
      session: (request: Authorized) => request.headers['x-conversation'],
      exclude: ['/health'],
    }),
    GraphQLModule.forRoot<ApolloDriverConfig>({ driver: ApolloDriver, autoSchemaFile: true }),
  ],
  controllers: [ChatController],
  providers: [
    Assistant,
    Conversations,
    ConversationResolver,
    SummaryWorker,
    { provide: APP_GUARD, useClass: AuthGuard },
  ],
})
export class AppModule {}
