import { describeProcesses } from './describe-processes.ts'

describeProcesses('ai-sdk-7', 'on one SQLite file')
describeProcesses('ai-sdk-7', 'over HTTP')
describeProcesses('agent', 'on one SQLite file')
describeProcesses('agent', 'over HTTP')
describeProcesses('graph', 'on one SQLite file')
