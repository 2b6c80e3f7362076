/** Programs that fetch, send and look around: where they take hosts. */
import type { HostPlaces } from '../host-places.ts'

const CURL: HostPlaces = {
  precise: true,
  arguments: 'globbed',
  options: {
    globbed: '--url',
    url: '-x --proxy --preproxy --socks4 --socks4a --socks5 --socks5-hostname --proxy1.0 --doh-url --ipfs-gateway',
    pairs: '--connect-to --resolve',
    hosts: '--dns-servers',
    host: '-P --ftp-port',
    settings:
      '-K --config --alt-svc --expand-url --expand-proxy --expand-config --variable --unix-socket --abstract-unix-socket',
  },
  // Those that its profile does not have.
  values:
    '--ech --haproxy-clientip --ip-tos --keepalive-cnt --parallel-max-host --trace-config --upload-flags --vlan-priority',
  quiet: '-V --version -h --help -M --manual',
}

const WGET: HostPlaces = {
  precise: true,
  arguments: 'url',
  options: {
    url: '-B --base',
    hosts: '--dns-servers',
    settings:
      '-i --input-file -e --execute --config --input-metalink --use-askpass --http-proxy --https-proxy',
  },
  values: '--random-file --egd-file --prefer-family',
  opens: '-H --span-hosts',
  quiet: '-V --version -h --help',
}

const HELP = '--version --help'

const PING: HostPlaces = {
  arguments: 'host',
  values: '-c -i -I -l -m -M -p -Q -s -S -t -T -w -W -F --count --interval --ttl --size --timeout',
  quiet: '-V --version --help',
}

const TRACEROUTE: HostPlaces = {
  arguments: 'host',
  options: { host: '-g --gateway' },
  values: '-f -m -q -w -p -s -i -t -z -N -c -o -P --port --first --max-hop --sport --queries',
  quiet: '-V --version --help',
}

const PROXIES = '--proxy --all-proxy --http-proxy --https-proxy --ftp-proxy --geo-verification-proxy'

const BROWSER: HostPlaces = {
  arguments: 'page',
  options: {
    settings: '--proxy-pac-url --load-extension',
    url: '--proxy-server --proxy',
    pairs: '--host-resolver-rules',
  },
  quiet: '--version --help',
}

const LOADER: HostPlaces = {
  arguments: 'url',
  options: { url: '-x -X --proxy --host --target', settings: '-f --file --urls-file -targets' },
  values: '-n -c -t -H -A -z --rate --duration --header --timeout --latency',
}

export const WEB_PROGRAMS: readonly [names: string, places: HostPlaces][] = [
  ['curl curlie tcurl', CURL],
  ['wget wget2', WGET],
  [
    'aria2c',
    {
      arguments: 'url',
      options: {
        url: `${PROXIES} --bt-tracker`,
        settings: '-i --input-file -T --torrent-file -M --metalink-file --conf-path',
      },
      values: '-d -o -x -s -j -k -l --dir --out',
    },
  ],
  ['axel', { arguments: 'url', values: '-n -o -s -T -U -H' }],
  [
    'lwp-request lwp-download lwp-mirror GET HEAD POST httrack puf snarf fetch',
    { arguments: 'url', options: { url: '-p --proxy' }, values: '-o -O' },
  ],
  [
    'yt-dlp youtube-dl youtube-dlc gallery-dl you-get',
    {
      arguments: 'url',
      options: {
        url: PROXIES,
        settings: '-a --batch-file --config-location --config-locations --load-info-json --netrc-cmd',
      },
      values: '-o -f -P -u -p -r -N -R --output --format --paths',
    },
  ],
  [
    'lynx w3m links links2 elinks browsh surf',
    { arguments: 'url', options: { settings: '-cfg -config' }, values: '-T -o -O -cols' },
  ],
  [
    'chromium chromium-browser google-chrome chrome firefox brave microsoft-edge safari sensible-browser x-www-browser lighthouse pageres wkhtmltopdf wkhtmltoimage monolith single-file cutycapt',
    BROWSER,
  ],
  ['open xdg-open wslview', { ...BROWSER, arguments: 'link' }],
  [
    'logger',
    { options: { host: '-n --server' }, values: '-f -i -p -P -t -u --file --priority --port --tag --socket' },
  ],
  [
    'rdesktop xfreerdp vncviewer x11vnc remmina chronyd ntpd',
    { arguments: 'link', quiet: HELP, besides: 'open' },
  ],
  [
    'ab wrk wrk2 hey siege bombardier oha vegeta autocannon nikto sqlmap gobuster ffuf dirb wfuzz nuclei whatweb wpscan',
    LOADER,
  ],
  [
    'ffmpeg ffprobe ffplay mpv vlc mplayer streamlink',
    { arguments: 'link', options: { link: '-i', url: '-http_proxy --http-proxy' } },
  ],
  [
    'websocat wscat',
    {
      arguments: 'link',
      options: { link: '-c --connect', url: '--proxy', host: '--socks5' },
      values: '-H --header',
    },
  ],
  [
    'grpcurl grpc_cli evans',
    {
      first: 'endpoint',
      options: { host: '--host' },
      values: '-d -H -import-path -proto -protoset -cacert -cert -key -max-time -authority -v',
    },
  ],
  ['ping ping6 fping arping hping3 nping oping', PING],
  ['traceroute traceroute6 tracepath tracepath6 mtr tcptraceroute lft', TRACEROUTE],
  [
    'telnet rlogin rsh rexec rcp tftp finger rusers showmount ntpdate sntp smbtree nbtscan',
    { first: 'host', values: '-l -e -X', quiet: '--version --help' },
  ],
  ['ftp pftp ncftp ncftpget ncftpput tnftp', { first: 'endpoint', values: '-u -p -P -r -N -T -q -s -o' }],
  [
    'lftp',
    { first: 'endpoint', options: { settings: '-e -c -f --rcfile' }, values: '-u -p', otherwise: 'open' },
  ],
  [
    'nc ncat netcat nc.openbsd nc.traditional',
    {
      first: 'host',
      options: { endpoint: '-x --proxy', settings: '-e -c --exec --sh-exec --lua-exec' },
      values:
        '-g -G -i -I -m -O -o -p -P -q -s -T -V -w -W -X --proxy-type --proxy-auth --source --source-port --idle-timeout',
      opens: '-l --listen',
    },
  ],
  ['socat socat1 socat2', { arguments: 'socat', values: '-b -L -lf -lp -t -T' }],
  [
    'nmap zenmap',
    {
      arguments: 'host',
      options: { settings: '-iL -iR --script --script-args', hosts: '--proxies --dns-servers', host: '-sI' },
      values:
        '-p -oN -oX -oS -oG -oA --source-port --max-retries --host-timeout --scan-delay --top-ports --min-rate --max-rate --exclude --excludefile --data-length --ttl --mtu',
      quiet: '-V --version -h --help',
    },
  ],
  [
    'masscan zmap rustscan naabu subfinder amass httpx',
    {
      arguments: 'host',
      options: { hosts: '-a --addresses -u -target -host' },
      values: '-p --rate -o',
      opens: '-iL',
    },
  ],
  ['host', { arguments: 'host', values: '-t -c -m -N -R -W -p' }],
  ['nslookup systemd-resolve', { arguments: 'host' }],
  ['resolvectl', { reaching: 'query service openpgp tlsa', arguments: 'host' }],
  [
    'code code-insiders codium cursor windsurf',
    { arguments: 'link', opens: '--install-extension --update-extensions --remote' },
  ],
  ['apt-key', { options: { endpoint: '--keyserver', url: '--fetch-keys' }, arguments: 'link' }],
  ['drill kdig delv dog doggo q', { arguments: 'host', values: '-t -p -f -k -y -x -b -c -q' }],
  ['whois jwhois', { arguments: 'host', options: { host: '-h --host' }, values: '-p --port -i -T -t -K' }],
  ['getent', { reaching: 'hosts ahosts ahostsv4 ahostsv6', arguments: 'host' }],
  [
    'iperf iperf3 netperf qperf',
    { options: { host: '-c --client -H' }, values: '-p -t -i -P -b -w -B -f', first: 'host' },
  ],
  ['ssh-keyscan', { arguments: 'host', options: { settings: '-f' }, values: '-p -T -t -O' }],
  [
    'gpg gpg2',
    {
      options: { endpoint: '--keyserver', url: '--fetch-keys' },
      opens:
        '--recv-keys --receive-keys --search-keys --send-keys --refresh-keys --locate-keys --locate-external-keys',
    },
  ],
  [
    'certbot acme.sh lego',
    {
      arguments: 'host',
      options: { url: '--server', host: '-d --domain --domains' },
      usual: 'letsencrypt.org',
    },
  ],
  [
    'openconnect wg ngrok cloudflared localtunnel lt tailscale tailscaled wg-quick openvpn zerotier-cli frpc chisel bore gost tor i2pd syncthing magic-wormhole wormhole croc transmission-cli transmission-remote rtorrent qbittorrent ipfs',
    { arguments: 'link', quiet: '--version --help', besides: 'open' },
  ],
  [
    'sendmail mail mailx mutt msmtp swaks s-nail sendemail ssmtp esmtp neomutt irssi weechat',
    {
      arguments: 'host',
      options: { host: '--server --host' },
      values: '-s -a -A -c -b -r -S',
      quiet: '--version --help',
      besides: 'open',
    },
  ],
  ['speedtest speedtest-cli fast-cli fast', { usual: 'speedtest.net' }],
  [
    'smbclient mount.cifs smbget smbmap rpcclient crackmapexec',
    { arguments: 'share', options: { host: '-L -I --list --ip-address' }, values: '-U -c -p -W -A -D -o' },
  ],
  [
    'mount umount mount.nfs mount.nfs4 sshfs curlftpfs s3fs davfs2 mount.davfs rclone-mount',
    { arguments: 'share', values: '-t -o -O -L -U -F --types --options -p' },
  ],
  [
    'snmpwalk snmpget snmpset snmpbulkwalk snmptranslate',
    { arguments: 'host', values: '-v -c -u -l -a -A -x -X -O -M -m' },
  ],
  [
    'ldapsearch ldapadd ldapmodify ldapdelete ldapwhoami ldappasswd',
    { options: { hosts: '-H -h' }, values: '-b -D -w -y -s -p -f -o -E -l -z -x', otherwise: 'open' },
  ],
  [
    'mosquitto_pub mosquitto_sub',
    { options: { host: '-h --host --proxy', link: '-L --url' }, values: '-t -m -p -u -P -q -i -f' },
  ],
  ['kcat kafkacat', { options: { hosts: '-b' }, values: '-t -p -o -f -c -X -G', otherwise: 'open' }],
  [
    'etcdctl nats rabbitmqadmin consul vault nomad bao',
    {
      arguments: 'link',
      options: { hosts: '--endpoints -s --server -H --host -http-addr --http-addr -address --address -addr' },
      quiet: '--version -version version',
      otherwise: 'open',
    },
  ],
]
