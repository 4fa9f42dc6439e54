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

  @ResolveField(() => String)
  mood(@Parent() { name }: Cat): Promise<string> {
    return sharedWork('field', 'mood', `${name} purrs`)
  }
}
