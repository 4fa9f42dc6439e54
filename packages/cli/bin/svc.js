#!/usr/bin/env node
import { main } from '../dist/main.js'

void main(process.argv)
