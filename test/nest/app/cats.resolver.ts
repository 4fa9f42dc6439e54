import { InternalServerErrorException } from '@nestjs/common'
import { Args, Field, ObjectType, Parent, Query, ResolveField, Resolver } from '@nestjs/graphql'
import { sharedWork } from './work.js'

@ObjectType()
export class Cat {
  @Field(() => String)
  name!: string
}

@Resolver(() => Cat)
export class CatsResolver {
  @Query(() => Cat)
  cat(@Args('name', { type: () => String }) name: string): Promise<Cat> {
    return sharedWork('query', 'cat', { name })
  }

  @Query(() => Cat)
  async lost(): Promise<Cat> {
    await sharedWork('query', 'lost', true)
    throw new InternalServerErrorException('no such cat')
  }

  @ResolveField(() => String)
  mood(@Parent() { name }: Cat): Promise<string> {
    return sharedWork('field', 'mood', `${name} purrs`)
  }
}
