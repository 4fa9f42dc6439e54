import { Controller, Inject, Post } from '@nestjs/common'
import {
  CommandBus,
  CommandHandler,
  EventBus,
  EventsHandler,
  type ICommandHandler,
  type IEventHandler,
} from '@nestjs/cqrs'
import { sharedWork } from './work.js'

class PlaceOrder {}

class OrderPlaced {
  constructor(readonly handled: () => void) {}
}

@CommandHandler(PlaceOrder)
export class PlaceOrderHandler implements ICommandHandler<PlaceOrder> {
  constructor(@Inject(EventBus) private readonly events: EventBus) {}

  async execute(): Promise<void> {
    await sharedWork('command', 'PlaceOrder', true)
    await new Promise<void>((resolve) => this.events.publish(new OrderPlaced(resolve)))
  }
}

@EventsHandler(OrderPlaced)
export class OrderPlacedHandler implements IEventHandler<OrderPlaced> {
  async handle({ handled }: OrderPlaced): Promise<void> {
    await sharedWork('event', 'OrderPlaced', true)
    handled()
  }
}

@Controller('orders')
export class OrdersController {
  constructor(@Inject(CommandBus) private readonly commands: CommandBus) {}

  @Post()
  async place(): Promise<string> {
    await this.commands.execute(new PlaceOrder())
    return 'placed'
  }
}
