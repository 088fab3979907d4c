// SPDX-License-Identifier: LGPL-3.0-or-later
// Answers programs that ask for pictures over a socket, in a thread of its own. Nothing that they do holds up the run.
#pragma once
#include "filters/live/socket/address.hpp"
#include "filters/live/socket/client.hpp"
#include <list>
#include <mutex>
#include <thread>

namespace sino::live {

class Server : NoCopy
{
public:
  // Listens from now on. Throws if it cannot.
  Server (const std::string &address, Board &board);
  ~Server ();

  // The run has ended: tells the clients, and `why` it has failed, if it has. Waits a second at most for those that
  // have not got the last picture.
  void end (const std::string &why);

private:
  using Clock = Client::Clock;
  struct Ending {
    std::string why;
    Clock::time_point pictures_until, until;
  };
  Board &board;
  std::optional<Listener> listener; // until the run has ended
  const std::shared_ptr<GMainContext> context;
  std::shared_ptr<const Board::Watch> waking; // of the thread, when there are pictures
  std::mutex mutex;
  std::optional<Ending> ending;
  // What follows belongs to the thread.
  SentPictures pictures;
  std::list<Client> clients;
  std::thread thread;

  void work ();
  void accept ();
  void serve (Client &client);
  void handle (Client &client, const std::string &line);
  bool answer_pull (Client &client);
  bool say_end ();
  bool is_behind (const Client &client) const;
};

} // namespace sino::live
