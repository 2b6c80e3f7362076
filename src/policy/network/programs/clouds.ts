/** Clients of clouds, clusters and forges, which take their hosts from an account, and programs that manage machines. */
import type { HostPlaces } from '../host-places.ts'

const HELP = '--version --help help'

export const CLOUD_PROGRAMS: readonly [names: string, places: HostPlaces][] = [
  [
    'aws awslocal',
    {
      local: 'configure help history',
      arguments: 'link',
      options: { url: '--endpoint-url' },
      values:
        '--region --profile --output --query --color --ca-bundle --cli-read-timeout --cli-connect-timeout',
      instead: '--endpoint-url',
      usual: 'amazonaws.com',
      quiet: '--version',
    },
  ],
  [
    'gcloud gsutil',
    { local: 'config info help version topic', arguments: 'link', usual: 'googleapis.com', quiet: HELP },
  ],
  [
    'az azcopy',
    {
      local: 'config configure version',
      arguments: 'link',
      usual: 'azure.com windows.net',
      quiet: HELP,
    },
  ],
  [
    's3cmd mc s5cmd b2 ossutil ossutil64 minio',
    {
      arguments: 'link',
      options: { endpoint: '--host --host-bucket --endpoint-url -e --endpoint' },
      usual: '',
      quiet: HELP,
    },
  ],
  [
    'doctl heroku vercel netlify flyctl fly wrangler firebase railway render supabase oci ibmcloud aliyun tccli linode-cli hcloud scw exo surge now eas amplify sls serverless sam cdk copilot eb pulumi cf stripe twilio sentry-cli datadog-ci circleci buildkite-agent act jira slack op 1password bw lpass doppler infisical',
    { arguments: 'link', usual: '', quiet: HELP, local: 'help version completion' },
  ],
  [
    'terraform tofu terragrunt',
    {
      reaching: 'init get plan apply destroy refresh import login logout providers state workspace test push',
      arguments: 'link',
      usual: 'terraform.io hashicorp.com',
      quiet: '-help --help -version',
    },
  ],
  [
    'packer vagrant',
    {
      local: 'fmt validate version help inspect status global-status list-commands',
      arguments: 'link',
      usual: '',
    },
  ],
  [
    'ansible ansible-playbook ansible-pull ansible-console',
    {
      arguments: 'link',
      options: { settings: '-i --inventory --inventory-file -U --url' },
      quiet: '--version --help -h --list-hosts --syntax-check',
      otherwise: 'open',
    },
  ],
  [
    'ansible-galaxy ansible-vault',
    {
      local: 'encrypt decrypt view edit create rekey encrypt_string init list',
      arguments: 'repository',
      options: { url: '-s --server' },
      usual: 'ansible.com',
    },
  ],
  [
    'fab pssh pdsh parallel-ssh pscp prsync clush salt puppet knife chef-client cap mina bolt nixops colmena deploy-rs',
    { options: { hosts: '-H -w --host --hosts' }, quiet: HELP, otherwise: 'open' },
  ],
  [
    'rclone restic duplicity borg kopia rdiff-backup duplicati',
    {
      local: 'version help listremotes',
      arguments: 'remote',
      options: { remote: '-r --repo --repository', settings: '--config' },
      quiet: HELP,
      otherwise: 'open',
    },
  ],
  [
    'gh',
    {
      local: 'alias config completion help version',
      arguments: 'forge',
      options: { host: '-h --hostname', forge: '-R --repo' },
      values:
        '-X -f -F -H -q -t -L -s -b -B -l -a -m -r -c -p --method --field --raw-field --header --jq --template --limit --state --body --title --base --head --label --assignee --json --branch --ref',
      precise: true,
      default: 'github.com',
      quiet: HELP,
    },
  ],
  ['hub ghcli ghq', { arguments: 'forge', default: 'github.com', quiet: HELP, local: 'alias help version' }],
  [
    'glab lab',
    {
      local: 'alias config completion help version',
      arguments: 'forge',
      options: { host: '-h --hostname', forge: '-R --repo' },
      values: '-X -f -F -H',
      default: 'gitlab.com',
      quiet: HELP,
    },
  ],
  ['tea berg', { arguments: 'forge', otherwise: 'open', quiet: HELP }],
  [
    'kubectl oc kubecolor k3s minikube kind k9s stern kustomize istioctl linkerd argocd flux velero kops eksctl',
    {
      local: 'config completion help options plugin',
      arguments: 'link',
      options: {
        endpoint: '-s --server',
        link: '-f --filename -k',
        image: '--image',
        settings: '--kubeconfig',
      },
      values:
        '-n --namespace -l --selector -o --output -c --container --context --cluster --user --as --token --field-selector --sort-by --type -p --patch --replicas --timeout --tail --since',
      instead: '-s --server',
      quiet: `${HELP} --client`,
      besides: 'open',
    },
  ],
  [
    'helm helmfile',
    {
      local: 'create lint version env completion help',
      arguments: 'link',
      options: { url: '--repo --kube-apiserver' },
      instead: '--kube-apiserver',
      values: '-n --namespace -f --values --set --version --set-string --timeout --kube-context --kubeconfig',
      quiet: HELP,
      besides: 'open',
    },
  ],
  [
    'skopeo crane oras regctl cosign notation',
    {
      local: 'version help',
      arguments: 'image',
      values: '--platform --creds --src-creds --dest-creds --authfile --format -f -o -u -p',
    },
  ],
  [
    'svn',
    {
      local:
        'status st stat add delete del rm remove move mv rename revert resolve resolved cleanup help propget pget propset pset proplist plist propdel changelist cl auth upgrade',
      arguments: 'link',
      values:
        '-r -m -F -c -N --revision --message --file --username --password --depth --config-option --config-dir --change --diff-cmd',
      quiet: '--version',
      otherwise: 'open',
    },
  ],
  [
    'hg bzr fossil darcs cvs jj pijul',
    {
      reaching:
        'clone pull push incoming in outgoing out identify id fetch checkout co update up sync branch get send git commit ci login',
      arguments: 'repository',
      options: { repository: '-d', settings: '--config --config-file', transport: '-e --ssh --remotecmd' },
      values: '-r -R -b -B --rev --repository --branch --bookmark -m',
      otherwise: 'open',
    },
  ],
  [
    'dotnet nuget',
    {
      reaching: 'restore add tool nuget workload install push update search new list package',
      arguments: 'link',
      options: { link: '-s --source -Source --configfile' },
      usual: 'nuget.org',
    },
  ],
  [
    'openssl',
    {
      reaching: 's_client s_time ocsp cmp',
      arguments: 'endpoint',
      options: { endpoint: '-connect -proxy -host -url -server' },
      values:
        '-CAfile -CApath -cert -key -servername -starttls -port -in -out -issuer -verify -cipher -alpn -xmpphost -name -bind -verify_hostname -sess_out -sess_in -nextprotoneg -keyform -certform -pass',
    },
  ],
]
