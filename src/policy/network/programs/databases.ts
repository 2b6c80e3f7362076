/** Clients of databases. Without a host they talk to this machine. */
import type { HostPlaces } from '../host-places.ts'

const POSTGRES: HostPlaces = {
  arguments: 'connection',
  options: { hosts: '-h --host', connection: '-d --dbname --maintenance-db' },
  values:
    '-c -f -F -L -o -p -P -R -T -U -v --command --file --field-separator --log-file --output --port --pset ' +
    '--record-separator --table-attr --username --variable --set -n --schema -t --table -N -E --encoding -j --jobs -Z',
  quiet: '-V --version --help -?',
}

const MYSQL: HostPlaces = {
  arguments: 'link',
  options: {
    host: '-h --host',
    settings: '--defaults-file --defaults-extra-file --login-path --defaults-group-suffix',
    link: '--uri',
  },
  values: '-u -P -D -e -S -r --user --port --database --execute --socket --result-file --where -w',
  quiet: '-V --version -?',
}

export const DATABASE_PROGRAMS: readonly [names: string, places: HostPlaces][] = [
  [
    'psql pg_dump pg_dumpall pg_restore pg_isready createdb dropdb createuser dropuser vacuumdb reindexdb pgbench pg_basebackup pg_receivewal pgcli pg_recvlogical clusterdb',
    POSTGRES,
  ],
  [
    'mysql mariadb mysqldump mariadb-dump mysqladmin mariadb-admin mysqlimport mysqlcheck mysqlshow mysqlslap mycli mysqlsh',
    MYSQL,
  ],
  [
    'redis-cli valkey-cli iredis redis-benchmark keydb-cli',
    {
      arguments: 'link',
      options: { host: '-h', link: '-u --uri' },
      values: '-p -a -n -r -i -s -x -d -t -c -P --user --pass --askpass --sni --cacert --cert --key',
      opens: '--cluster',
      quiet: '-v --version --help',
    },
  ],
  [
    'mongosh mongo mongodump mongorestore mongoexport mongoimport mongostat mongotop',
    {
      first: 'server',
      options: { connection: '--uri', hosts: '--host -h' },
      values:
        '-u -p -d -c -o --port --username --password --db --collection --eval --file --out --authenticationDatabase',
      quiet: '--version --help',
    },
  ],
  [
    'sqlcmd bcp tsql isql osql',
    { options: { host: '-S -H' }, values: '-U -P -d -Q -q -i -o', otherwise: 'open' },
  ],
  [
    'clickhouse-client clickhouse',
    { options: { host: '-h --host' }, values: '-u -d -q --port --user --password --query --database' },
  ],
  ['cqlsh', { first: 'host', values: '-u -p -k -e -f' }],
  ['influx influxd', { options: { url: '--host' }, values: '-o -t' }],
  ['sqlplus rman', { arguments: 'link', otherwise: 'open' }],
  ['snowsql bq duckdb-cloud', { arguments: 'link', usual: '' }],
]
