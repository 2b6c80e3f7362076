/**
 * `extends: banksman:starter`: what a stranger begins with. Reading in the workspace is allowed, by the file tools here
 * and by the programs that have a profile; what changes things is left to the mode; what destroys beyond repair is
 * denied by the profiles. It sets no mode.
 *
 * Secrets are asked about and not denied: a deny would reach every command that only names a key, and no person
 * could say yes.
 */
import type { PolicyBlock } from '../language/language.ts'

export const STARTER_POLICY: PolicyBlock = {
  allow: [
    'Read(./**)',
    'NotebookRead(./**)',
    'Grep(./**)',
    'Glob(./**)',
    'LS(./**)',
    'read_file(./**)',
    'list_dir(./**)',
    'search_files(./**)',
    // These touch nothing but the agent's own notes, its own output, or a person's attention.
    'TodoWrite',
    'TodoRead',
    'TaskCreate',
    'TaskGet',
    'TaskList',
    'TaskUpdate',
    'BashOutput',
    'AskUserQuestion',
    // The secretary's, which act on the person's own sessions alone. What it starts or sends in words of its own is asked about by the tool.
    'list_coding_sessions',
    'look_into_coding_session',
    'interrupt_coding_session',
    'close_coding_session',
    'start_coding_session',
    'send_to_coding_session',
  ],
  rules: [
    {
      name: 'keys and passwords of a person',
      when: {
        path: [
          '~/.ssh/**',
          '~/.gnupg/**',
          '~/.aws/**',
          '~/.azure/**',
          '~/.config/gcloud/**',
          '~/.config/gh/**',
          '~/.kube/**',
          '~/.docker/config.json',
          '~/.netrc',
          '~/.npmrc',
          '~/.pypirc',
          '~/.git-credentials',
          '~/.password-store/**',
        ],
      },
      then: 'ask',
      reason: 'it names a file that holds keys or passwords',
      scopes: ['once'],
      severity: 'critical',
    },
    {
      name: 'secrets of a project',
      when: {
        path: [
          '**/.env',
          '**/.env.local',
          '**/.env.development',
          '**/.env.production',
          '**/.env.staging',
          '**/.env.*.local',
          '**/*.key',
          '**/*-key.pem',
          '**/privkey*.pem',
          '**/id_rsa',
          '**/id_ecdsa',
          '**/id_ed25519',
          '**/.netrc',
          '**/.pgpass',
          '**/.git-credentials',
        ],
      },
      then: 'ask',
      reason: 'it names a file that usually holds secrets',
      severity: 'high',
    },
  ],
}
