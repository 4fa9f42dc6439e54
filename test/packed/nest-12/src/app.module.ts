import { Module } from '@nestjs/common'
import { SvcModule } from '@svc/nestjs'
import { AppController } from './app.controller.js'
import { AppService } from './app.service.js'

@Module({
  imports: [SvcModule.forRoot({ session: (request) => request.headers['x-session'] })],
  controllers: [AppController],
  providers: [AppService],
})
export class AppModule {}
