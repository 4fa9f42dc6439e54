import { ForbiddenException } from '@nestjs/common'
import { Args, Context, Field, Int, ObjectType, Parent, Query, ResolveField, Resolver } from '@nestjs/graphql'
import { Assistant } from './assistant.js'
import type { Authorized } from './auth.guard.js'
import { type Conversation, Conversations } from './conversations.js'

@ObjectType('Conversation')
class ConversationType {
  @Field(() => Int)
  turns!: number

  @Field(() => String)
  title!: string

  @Field(() => String, { nullable: true })
  summary?: string
}

@Resolver(() => ConversationType)
export class ConversationResolver {
  constructor(
    private readonly assistant: Assistant,
    private readonly conversations: Conversations,
  ) {}

  @Query(() => ConversationType)
  conversation(@Args('id') id: string, @Context('req') { user }: Authorized): Conversation {
    const conversation = this.conversations.of(user?.name ?? '', id)
    if (!conversation) throw new ForbiddenException()
    return conversation
  }

  @ResolveField()
  turns(@Parent() { turns }: Conversation): number {
    return turns.length
  }

  /** A field that calls the model: it is a part of the trace of its query. */
  @ResolveField()
  title(@Parent() { turns }: Conversation): Promise<string> {
    return this.assistant.say(`A title for: ${turns[0]?.question ?? 'nothing yet'}`)
  }
}
